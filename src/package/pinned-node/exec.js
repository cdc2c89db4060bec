#!/usr/bin/env node
// Makes `exec pinned-node …` work on Windows, whose shell has no `exec`. On other systems the shell's own `exec` is
// used.
if (process.argv[2] !== 'pinned-node') throw new Error('exec can start only pinned-node.')
process.argv.splice(2, 1)
await import('./pinned-node.js')
