" ChatMarkdown: tags, attributes, RAW blocks, comments, JSON bodies, and a little Markdown.
if exists('b:current_syntax')
  finish
endif
syntax case match
syntax sync fromstart

" Attributes, only inside of tags.
syntax match chatmdAttribute /\<[A-Za-z0-9_:-]\+/ contained
syntax region chatmdValue start=/"/ skip=/\\"/ end=/"/ contained
syntax region chatmdValue start=/'/ skip=/\\'/ end=/'/ contained
syntax match chatmdTagName /<\@1<!<\/\?\zs[a-z_]\+/ contained

" The parts of bodies.
syntax region chatmdRaw matchgroup=chatmdRawMark start=/RAW|/ end=/|RAW/ contained keepend
syntax region chatmdComment start=/<\@1<!<!--/ end=/-->/ keepend
syntax region chatmdDirective start=/<\@1<!<!--\s*chatmd:/ end=/-->/ keepend fold
syntax match chatmdInlineTag /<\@1<!<\/\?\%(img\|doc\|agent\|import\|summary\)\%(\s\+\%("\%(\\"\|[^"]\)*"\|'\%(\\'\|[^']\)*'\|[^>"']\)*\)\?\/\?>/ contains=chatmdTagName,chatmdAttribute,chatmdValue
syntax region chatmdFence start=/^\s*\z(```\+\|\~\~\~\+\)/ end=/^\s*\z1[`~]*\s*$/ contained contains=chatmdRaw,chatmdComment,chatmdDirective
syntax match chatmdHeading /^#\{1,6}\s.*$/ contained contains=chatmdInlineTag
syntax match chatmdCode /`[^`<]\+`/ contained
syntax match chatmdBold /\*\*[^*<]\+\*\*/ contained
syntax match chatmdJsonKey /"\%([^"\\<]\|\\.\)*"\ze\s*:/ contained
syntax match chatmdJsonString /"\%([^"\\<]\|\\.\)*"\%(\s*:\)\@!/ contained
syntax match chatmdJsonNumber /-\?\<\d\+\%(\.\d\+\)\?\%([eE][+-]\?\d\+\)\?\>/ contained
syntax keyword chatmdJsonConstant true false null contained
syntax cluster chatmdMarkup contains=chatmdRaw,chatmdComment,chatmdDirective,chatmdInlineTag
syntax cluster chatmdMarkdown contains=chatmdFence,chatmdHeading,chatmdCode,chatmdBold
syntax cluster chatmdJson contains=chatmdJsonKey,chatmdJsonString,chatmdJsonNumber,chatmdJsonConstant

" The opening tag of a block, which may run over several lines.
syntax region chatmdTag start=/<\@1<!<\%(user\|assistant\|system\|developer\|msg\|tool_call\|tool_response\|reasoning\|config\|tool\|script\|shell_access\|moderator_runtime\)\%([[:space:]>]\|\/>\|$\)\@=/ skip=/"\%(\\"\|[^"]\)*"\|'\%(\\'\|[^']\)*'/ end=/>/ contained contains=chatmdTagName,chatmdAttribute,chatmdValue

" What may stand before a document.
syntax match chatmdShebang /\%^#!.*/ nextgroup=chatmdFrontMatter skipnl
syntax region chatmdFrontMatter start=/\%^---\s*$/ end=/^---\s*$/ end=/^\ze<\%(user\|assistant\|system\|developer\|msg\|tool_call\|tool_response\|reasoning\|config\|tool\|script\|shell_access\|moderator_runtime\)[[:space:]\/>]/
syntax region chatmdFrontMatter start=/^---\s*$/ end=/^---\s*$/ end=/^\ze<\%(user\|assistant\|system\|developer\|msg\|tool_call\|tool_response\|reasoning\|config\|tool\|script\|shell_access\|moderator_runtime\)[[:space:]\/>]/ contained

" Blocks.
for s:name in ['user', 'assistant', 'system', 'developer', 'msg', 'reasoning']
  execute 'syntax region chatmdMessage matchgroup=NONE start=/<\@1<!<' . s:name . '\%([[:space:]>]\|\/>\|$\)\@=/ matchgroup=chatmdEndTag end=/<\@1<!<\/' . s:name . '\s*>/ fold contains=chatmdTag,@chatmdMarkup,@chatmdMarkdown'
endfor
for s:name in ['tool_call', 'tool_response', 'config', 'tool', 'script', 'shell_access', 'moderator_runtime']
  execute 'syntax region chatmdData matchgroup=NONE start=/<\@1<!<' . s:name . '\%([[:space:]>]\|\/>\|$\)\@=/ matchgroup=chatmdEndTag end=/<\@1<!<\/' . s:name . '\s*>/ fold contains=chatmdTag,@chatmdMarkup,@chatmdJson'
  " An element without a body.
  execute 'syntax match chatmdEmpty /<\@1<!<' . s:name . '\%(\s\+\%("\%(\\"\|[^"]\)*"\|''\%(\\''\|[^'']\)*''\|[^>"'']\)*\)\?\/>/ contains=chatmdTagName,chatmdAttribute,chatmdValue'
endfor

highlight default link chatmdTagName Statement
highlight default link chatmdTag Delimiter
highlight default link chatmdEndTag Delimiter
highlight default link chatmdInlineTag Delimiter
highlight default link chatmdAttribute Type
highlight default link chatmdValue String
highlight default link chatmdRaw String
highlight default link chatmdRawMark PreProc
highlight default link chatmdComment Comment
highlight default link chatmdShebang PreProc
highlight default link chatmdFrontMatter Comment
highlight default link chatmdDirective SpecialComment
highlight default link chatmdFence String
highlight default link chatmdCode String
highlight default link chatmdHeading Title
highlight default link chatmdBold Special
highlight default link chatmdJsonKey Identifier
highlight default link chatmdJsonString String
highlight default link chatmdJsonNumber Number
highlight default link chatmdJsonConstant Boolean

let b:current_syntax = 'chatmarkdown'
