import { z } from 'zod'
import { readNetwork } from '../lists/network-word.ts'
import { defaultPrefixes, networksOf, type PrefixMap } from '../lists/phone.ts'
import { type Network, networks } from '../provider/network.ts'
import type { Phone } from '../provider/phone.ts'
import type { Queries } from '../store/store.ts'

/**
 * Which network a number probably belongs to: what somebody of the account has kept it on (it was ported), else what
 * its first digits hint at. Operators change the map of these in `/admin`; it is one fact of the database, so all
 * instances go by it from the next look on.
 */

const factName = 'prefixes'

/** What operators have changed of the built-in map; of a prefix without networks nothing is known. */
export type PrefixChanges = Readonly<Record<string, readonly Network[]>>

const changesSchema = z.record(z.string(), z.array(z.enum(networks)))

type Facts = { chats: Pick<Queries['chats'], 'fact' | 'setFact'> }

export const prefixChanges = async ({
  chats,
}: {
  chats: Pick<Facts['chats'], 'fact'>
}): Promise<PrefixChanges> => {
  const fact = await chats.fact(factName)
  return fact ? changesSchema.parse(JSON.parse(fact)) : {}
}

export const mapOf = (changes: PrefixChanges): PrefixMap => ({ ...defaultPrefixes, ...changes })

/** @param changed null: as it is built in. @returns what the prefix was changed to before; null: it was not. */
export const changePrefix = async (
  queries: Facts,
  prefix: string,
  changed: readonly Network[] | null,
): Promise<readonly Network[] | null> => {
  const { [prefix]: before = null, ...others } = await prefixChanges(queries)
  const next = changed === null ? others : { ...others, [prefix]: changed }
  await queries.chats.setFact(factName, JSON.stringify(next))
  return before
}

/** All as built in. @returns whether there was a change. */
export const resetPrefixes = async (queries: Facts): Promise<boolean> => {
  const isChanged = Object.keys(await prefixChanges(queries)).length > 0
  if (isChanged) await queries.chats.setFact(factName, '{}')
  return isChanged
}

/** More changes than there are prefixes of three digits are none that anybody typed. */
export const mostChanges = 100

/** Why a typed line changes no prefix. */
export type PrefixFault = 'unreadable' | 'prefix' | 'network'

type WrittenPrefix =
  | { kind: 'change'; prefix: string; networks: readonly Network[] | null }
  | { kind: 'refused'; fault: PrefixFault; written: string }

/** Reads `0256 MTN`, `026 AirtelTigo BigTime`, `0256 none`, `0256 built in`. */
export const readPrefixLine = (text: string): WrittenPrefix => {
  const [, prefix = '', rest = ''] = /^(\S+)\s+(\S.*)$/s.exec(text.trim().slice(0, 100)) ?? []
  if (prefix === '') return { kind: 'refused', fault: 'unreadable', written: text.trim() }
  if (!isPrefix(prefix)) return { kind: 'refused', fault: 'prefix', written: prefix }
  if (/^built[\s-]?in$/i.test(rest)) return { kind: 'change', prefix, networks: null }
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

/** Mobile numbers begin with 02 or 05; three digits tell the network, or four where it was given a part alone. */
export const isPrefix = (text: string): boolean => /^0[25]\d{1,2}$/.test(text)

/** The networks that a number of the account probably belongs to; none where nothing tells. */
export const likelyNetworks = async (
  queries: Pick<Queries, 'chats' | 'ported'>,
  accountId: string,
  phone: Phone,
): Promise<readonly string[]> => {
  const kept = (await queries.ported.of(accountId, [phone]))[phone]
  return kept === undefined ? networksOf(phone, mapOf(await prefixChanges(queries))) : [kept]
}

/** Somebody keeps those numbers on a network: from now on that is theirs, unless their prefixes say so anyway. */
export const keepOn = async (
  queries: Pick<Queries, 'chats' | 'ported'>,
  accountId: string,
  { phones, network }: { phones: readonly Phone[]; network: string },
  at: Date,
): Promise<void> => {
  const map = mapOf(await prefixChanges(queries))
  const contradicts = (phone: Phone) => {
    const likely = networksOf(phone, map)
    return likely.length > 0 && !likely.includes(network)
  }
  await queries.ported.forget(accountId, phones)
  await queries.ported.keep(accountId, phones.filter(contradicts), network, at)
}
