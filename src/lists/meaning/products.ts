import type { Network } from '../../provider/network.ts'
import { readNetwork } from '../reading/grammar/network-word.ts'
import { readSize, type Size } from '../size.ts'

/** The network and size of the bundle that some words are about. */
export interface Products {
  /** The words that name neither a network nor a size. */
  rest: string[]
  network: Network | null
  /** The first size, if there are several. */
  size: Size | null
  /** Whether the size has a unit. A bare number may mean anything. */
  hasUnit: boolean
}

/** Finds the network and the size among words in lower case: `5 gb on big time`. */
export const productsIn = (words: readonly string[]): Products => {
  const products: Products = { rest: [], network: null, size: null, hasUnit: false }
  for (const [at, word] of words.entries()) {
    const [before = '', after = ''] = [words[at - 1], words[at + 1]]
    const named = readNetwork(word) ?? readNetwork(`${word}${after}`) ?? readNetwork(`${before}${word}`)
    const size = readSize(word) ?? (unit.test(word) ? readSize(`${before}${word}`) : null)
    if (named) products.network ??= named
    else if (size) {
      const isSameNumber = unit.test(word) && !products.hasUnit
      if (isSameNumber || products.size === null) products.size = size
      products.hasUnit ||= /[a-z]/.test(word)
    } else products.rest.push(word)
  }
  return products
}

const unit = /^(?:gb|gigs?|mb)$/
