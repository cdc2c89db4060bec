import { expect, test } from 'vitest'
import { readBotsFile } from '../src/bots-file.ts'

const token = '7000000001:AAE-abcdefghijklmnopqrstuvwxyz_0'
const other = '7000000002:AAF-abcdefghijklmnopqrstuvwxyz_1'

test('each line is a token with its owners; remarks and empty lines are left out', () => {
  expect(readBotsFile(`# bots\n\n ${token}\r\n${other}, 123456789 ,5\n`)).toEqual({
    bots: [
      { token, ownerIds: [] },
      { token: other, ownerIds: [123_456_789, 5] },
    ],
  })
})

test('faults name their lines, and never what stands there', () => {
  const read = readBotsFile(`${token}\nnonsense\n${token}\n${other},kofi\n`)
  expect(read).toEqual({
    faults: [
      { line: 2, problem: 'is no token of the form <digits>:<letters and digits>' },
      { line: 3, problem: 'is about a bot that stands above' },
      { line: 4, problem: 'has something else than user ids behind the token' },
    ],
  })
  expect(JSON.stringify(read)).not.toMatch(/AAE|kofi|nonsense/)
})
