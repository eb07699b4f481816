" ChatMarkdown: *.chat.md, and other Markdown files that begin with one of its elements.
autocmd BufNewFile,BufRead *.chat.md,*.chatmd setfiletype chatmarkdown
autocmd BufRead *.md if getline(1) =~# '^<\%(config\|user\|system\|developer\|tool\)\%(\s\|>\|/>\)' | set filetype=chatmarkdown | endif
