#!/usr/bin/env node
// `exec pinned-node …` where the shell has no `exec`, which is Windows; elsewhere the shell's own comes first.
if (process.argv[2] !== 'pinned-node') throw new Error('exec starts pinned-node alone.')
process.argv.splice(2, 1)
await import('./pinned-node.js')
