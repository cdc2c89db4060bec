import type { Network } from '../../provider/network.ts'
import { readNetwork } from '../reading/network-word.ts'
import { readSize, type Size } from '../size.ts'

/** The bundle that a question is about. */
export interface Wares {
  /** The words that name none of it. */
  rest: string[]
  network: Network | null
  /** The first one. */
  size: Size | null
  /** Whether the size has a unit: a bare number may be anything. */
  hasUnit: boolean
}

/** Finds the network and the size among words in lower case: `5 gb on big time`. */
export const waresIn = (words: readonly string[]): Wares => {
  const wares: Wares = { rest: [], network: null, size: null, hasUnit: false }
  for (const [at, word] of words.entries()) {
    const [before = '', after = ''] = [words[at - 1], words[at + 1]]
    const named = readNetwork(word) ?? readNetwork(`${word}${after}`) ?? readNetwork(`${before}${word}`)
    const size = readSize(word) ?? (unit.test(word) ? readSize(`${before}${word}`) : null)
    if (named) wares.network ??= named
    else if (size) {
      const isSameNumber = unit.test(word) && !wares.hasUnit
      if (isSameNumber || wares.size === null) wares.size = size
      wares.hasUnit ||= /[a-z]/.test(word)
    } else wares.rest.push(word)
  }
  return wares
}

const unit = /^(?:gb|gigs?|mb)$/
