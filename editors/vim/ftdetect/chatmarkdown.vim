" ChatMarkdown: *.chat.md, and other Markdown files that begin with one of its elements. Vim has taken them for Markdown before.
autocmd BufNewFile,BufRead *.chat.md,*.chatmd set filetype=chatmarkdown
autocmd BufRead *.md if getline(1) =~# '^<\%(config\|user\|system\|developer\|tool\)\%(\s\|>\|/>\)' | set filetype=chatmarkdown | endif
