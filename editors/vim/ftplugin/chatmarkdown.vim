" Settings for ChatMarkdown documents.
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal commentstring=<!--\ %s\ -->
setlocal linebreak
setlocal foldmethod=syntax foldlevel=99
" `:make` lists the problems of the document.
setlocal makeprg=chatmd\ check\ --format\ short\ %:S
setlocal errorformat=%f:%l:%c:\ %trror:\ %m,%f:%l:%c:\ %tarning:\ %m,%f:%l:%c:\ %tote:\ %m
" `gq` formats the whole document: `gggqG`.
setlocal formatprg=chatmd\ fmt\ -

let b:undo_ftplugin = 'setlocal commentstring< linebreak< foldmethod< foldlevel< makeprg< errorformat< formatprg<'
