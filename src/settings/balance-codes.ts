import { z } from 'zod'
import { type Network, networks } from '../provider/network.ts'
import { type ByNetwork, networkFact } from '../store/operators/network-facts.ts'

export type BalanceCodes = ByNetwork<string>

/** The code that customers dial to see what they have, such as `*124#`, for each network. Operators set it. */
export const { read: balanceCodes, set: setBalanceCode } = networkFact('balance_codes', z.string())

const form = /^\*[\d*]{1,18}#$/

/** Reads `MTN *124#`, or `MTN none` to remove the code. Null if it is neither. */
export const readBalanceCode = (text: string): { network: Network; code: string | null } | null => {
  const [name = '', code = '', ...more] = text.trim().split(/\s+/)
  const network = networks.find((each) => each.toLowerCase() === name.toLowerCase())
  if (!network || more.length > 0) return null
  if (code.toLowerCase() === 'none') return { network, code: null }
  return form.test(code) ? { network, code } : null
}
