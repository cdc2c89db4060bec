import { z } from 'zod'
import type { PrefixChanges } from '../../lists/meaning/prefix-line.ts'
import { mapOf, maxChanges } from '../../lists/meaning/prefix-line.ts'
import { networksOf, type PrefixMap } from '../../lists/read-phone.ts'
import type { Network } from '../../provider/network.ts'
import { networks } from '../../provider/network.ts'
import type { Phone } from '../../provider/phone.ts'
import { prefixFact } from '../../store/operators/facts.ts'
import type { Queries } from '../../store/store.ts'

/**
 * The network that a number probably belongs to: the one that somebody of the account saved for it, because it was
 * ported, otherwise the one of its prefix. Operators change the map of prefixes in `/admin`. The changes are in the
 * database, so every instance uses them from its next read on.
 */

const changesSchema = z.record(z.string(), z.array(z.enum(networks)))

type Facts = { facts: Pick<Queries['facts'], 'lock' | 'write'> }

export const prefixChanges = async ({
  facts,
}: {
  facts: Pick<Queries['facts'], 'read'>
}): Promise<PrefixChanges> => {
  return changesIn(await facts.read(prefixFact))
}

/** Parses the stored fact. */
export const changesIn = (fact: string | null): PrefixChanges =>
  fact ? changesSchema.parse(JSON.parse(fact)) : {}

/**
 * Changes the network of a prefix. Call it in a transaction.
 * @param changed null: back to the built-in network.
 * @returns the earlier change of the prefix (null: there was none); `full` if there are `maxChanges` others.
 */
export const changePrefix = async (
  tx: Facts,
  prefix: string,
  changed: readonly Network[] | null,
): Promise<readonly Network[] | null | 'full'> => {
  const { [prefix]: before = null, ...others } = changesIn(await tx.facts.lock(prefixFact))
  if (before === null && Object.keys(others).length >= maxChanges) return 'full'
  const next = changed === null ? others : { ...others, [prefix]: changed }
  await tx.facts.write(prefixFact, JSON.stringify(next))
  return before
}

/** Resets all prefixes to the built-in ones. Call it in a transaction. @returns whether there was a change. */
export const resetPrefixes = async (tx: Facts): Promise<boolean> => {
  const isChanged = Object.keys(changesIn(await tx.facts.lock(prefixFact))).length > 0
  if (isChanged) await tx.facts.write(prefixFact, '{}')
  return isChanged
}

/** The networks that a number of the account probably belongs to; empty if unknown. */
export const likelyNetworks = async (
  queries: Pick<Queries, 'facts' | 'ported'>,
  accountId: string,
  phone: Phone,
): Promise<readonly string[]> => {
  const ported = await queries.ported.of(accountId, [phone])
  if (ported[phone] !== undefined) return [ported[phone]]
  return networksOf(phone, mapOf(await prefixChanges(queries)))
}

/** Like `likelyNetworks`, for a caller that has read the account's ported numbers and the map already. */
export const likelyAmong = (
  { ported, prefixes }: { ported: Readonly<Record<string, string>>; prefixes: PrefixMap },
  phone: Phone,
): readonly string[] => {
  const kept = ported[phone]
  return kept === undefined ? networksOf(phone, prefixes) : [kept]
}

/**
 * Saves the network that somebody confirmed for these phones, for each whose prefix belongs to another network. What
 * was saved for the other phones is forgotten.
 */
export const keepOn = async (
  queries: Pick<Queries, 'facts' | 'ported'>,
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
