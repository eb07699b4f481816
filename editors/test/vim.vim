" Runs in a headless Vim and writes what it found to $RESULT:
"   RESULT=/dev/stderr vim -u NONE -i NONE -N -es -S editors/test/vim.vim
" Opens a document and compares the names of syntax groups at marked places.
set nomore
execute 'set runtimepath^=' . expand('<sfile>:p:h:h') . '/vim'
filetype plugin on
syntax on
let s:failures = []
let s:checked = 3

function! s:expect(text, group) abort
  let s:checked += 1
  call cursor(1, 1)
  if !search('\V' . a:text, 'cW')
    call add(s:failures, a:text . ': not found')
    return
  endif
  let groups = map(synstack(line('.'), col('.')), 'synIDattr(v:val, "name")')
  if index(groups, a:group) < 0
    call add(s:failures, a:text . ': expected ' . a:group . ', found ' . string(groups))
  endif
endfunction

let s:file = tempname() . '.chat.md'
call writefile([
  \ '#!/usr/bin/env -S chatmd send',
  \ '---',
  \ 'title: <user>quoted</user>',
  \ '---',
  \ '<config model="gpt-5" note="a > b"/>',
  \ '<tool name="weather">',
  \ '{"type": "object", "strict": true, "limit": 10}',
  \ '</tool>',
  \ '<user phase="x" cache_control>',
  \ '# Heading',
  \ 'Some `code` and <img src="chart.png" local/> here.',
  \ '```',
  \ 'fenced <b>',
  \ '```',
  \ 'RAW|literal </user> text|RAW',
  \ '</user>',
  \ '<!-- plain -->',
  \ '<!-- chatmd:item {"type":"x"} -->',
  \ '<assistant>',
  \ 'Done <<EOF <</assistant>',
  \ 'still text',
  \ '</assistant>'], s:file)
execute 'edit ' . fnameescape(s:file)
if &filetype !=# 'chatmarkdown'
  call add(s:failures, 'filetype is ' . &filetype)
endif
call s:expect('env', 'chatmdShebang')
call s:expect('title', 'chatmdFrontMatter')
call s:expect('quoted', 'chatmdFrontMatter')
call s:expect('config model', 'chatmdTagName')
call s:expect('model="gpt', 'chatmdAttribute')
call s:expect('gpt-5', 'chatmdValue')
call s:expect('b"/>', 'chatmdValue')
call s:expect('"type": "object"', 'chatmdJsonKey')
call s:expect('"object"', 'chatmdJsonString')
call s:expect('true', 'chatmdJsonConstant')
call s:expect('10', 'chatmdJsonNumber')
call s:expect('phase', 'chatmdAttribute')
call s:expect('cache_control', 'chatmdAttribute')
call s:expect('Heading', 'chatmdHeading')
call s:expect('code', 'chatmdCode')
call s:expect('img src', 'chatmdTagName')
call s:expect('chart.png', 'chatmdValue')
call s:expect('fenced', 'chatmdFence')
call s:expect('literal', 'chatmdRaw')
call s:expect('text|RAW', 'chatmdRaw')
call s:expect('plain', 'chatmdComment')
call s:expect('chatmd:item', 'chatmdDirective')
call s:expect('Done', 'chatmdMessage')
call s:expect('still text', 'chatmdMessage')
if &commentstring !=# '<!-- %s -->' || &makeprg !~# '^chatmd check'
  call add(s:failures, 'the settings of the file type are missing')
endif
" The error format reads what `check --format short` prints.
let s:lines = ['chat.md:3:7: warning: unknown attribute `x` [unknown-attribute]', 'chat.md:4:1: error: bad [unterminated]']
let s:list = getqflist({'lines': s:lines, 'efm': &l:errorformat}).items
if s:list[0].lnum != 3 || s:list[0].col != 7 || s:list[0].type !=# 'w' || s:list[1].type !=# 'e'
  call add(s:failures, 'the error format does not fit: ' . string(s:list))
endif
let s:summary = (s:checked - len(s:failures)) . ' passed, ' . len(s:failures) . ' failed'
call writefile(s:failures + [s:summary], $RESULT)
execute empty(s:failures) ? 'qall!' : 'cquit'
