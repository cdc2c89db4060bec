#!/usr/bin/env node
// `exec node …` where the shell has no `exec`, which is Windows; elsewhere the shell's own comes first.
import { spawn } from 'node:child_process'

const [program, ...args] = process.argv.slice(2)
if (program !== 'node') throw new Error('exec starts node alone.')
const child = spawn(process.execPath, args, { stdio: 'inherit' })
// Ctrl-C reaches both: this one ends when the other has.
process.on('SIGINT', () => {})
child.on('exit', (code) => {
  process.exitCode = code ?? 1
})
