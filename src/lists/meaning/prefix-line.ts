import type { Network } from '../../provider/network.ts'
import { defaultPrefixes, type PrefixMap } from '../read-phone.ts'
import { readNetwork } from '../reading/grammar/network-word.ts'

/** The operators' changes to the built-in prefix map. An empty list means that the prefix hints at no network. */
export type PrefixChanges = Readonly<Record<string, readonly Network[]>>

export const mapOf = (changes: PrefixChanges): PrefixMap => ({ ...defaultPrefixes, ...changes })

/** Operators never need so many: there are only 20 prefixes of three digits. */
export const maxChanges = 100

/** Why a typed line does not change a prefix. */
export type PrefixFault = 'unreadable' | 'prefix' | 'network'

type WrittenPrefix =
  | { kind: 'change'; prefix: string; networks: readonly Network[] | null }
  | { kind: 'refused'; fault: PrefixFault; written: string }

/** Reads `0256 MTN`, `026 AirtelTigo BigTime`, `0256 none`, `0256 default`. `networks` is null for `default`. */
export const readPrefixLine = (text: string): WrittenPrefix => {
  const [, prefix = '', rest = ''] = /^(\S+)\s+(\S.*)$/s.exec(text.trim().slice(0, 100)) ?? []
  if (prefix === '') return { kind: 'refused', fault: 'unreadable', written: text.trim() }
  if (!isPrefix(prefix)) return { kind: 'refused', fault: 'prefix', written: prefix }
  if (/^(?:default|built[\s-]?in)$/i.test(rest)) return { kind: 'change', prefix, networks: null }
  if (/^none$/i.test(rest)) return { kind: 'change', prefix, networks: [] }
  const named: Network[] = []
  for (const word of rest.split(/[\s,;/|+&]+/).filter((each) => each !== '' && !/^(?:or|and)$/i.test(each))) {
    const network = readNetwork(word)
    if (!network) return { kind: 'refused', fault: 'network', written: word }
    if (!named.includes(network)) named.push(network)
  }
  return named.length > 0
    ? { kind: 'change', prefix, networks: named }
    : { kind: 'refused', fault: 'unreadable', written: text.trim() }
}

/**
 * Whether the text is a prefix of mobile numbers, which begin with 02 or 05. A prefix has three digits, or four if only
 * a part of its numbers belongs to the network.
 */
export const isPrefix = (text: string): boolean => /^0[25]\d{1,2}$/.test(text)
