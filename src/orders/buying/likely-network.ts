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
 * Which network a number probably belongs to: the one that the account saved for it because the number was ported,
 * otherwise the one of its prefix. Operators can change the networks of prefixes in `/admin`. These changes are in the
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

/** The changes of prefixes in the stored fact. Null means that there is no fact, and so there are no changes. */
export const changesIn = (fact: string | null): PrefixChanges =>
  fact ? changesSchema.parse(JSON.parse(fact)) : {}

/**
 * Changes the network of a prefix. Call it in a transaction.
 * @param changed the new networks; null restores the built-in ones.
 * @returns the earlier change of the prefix, or null; `full` if `maxChanges` other prefixes are changed already.
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

/** Resets all prefixes to the built-in ones. Call it in a transaction. @returns false if none was changed. */
export const resetPrefixes = async (tx: Facts): Promise<boolean> => {
  const isChanged = Object.keys(changesIn(await tx.facts.lock(prefixFact))).length > 0
  if (isChanged) await tx.facts.write(prefixFact, '{}')
  return isChanged
}

/** The networks to which the number probably belongs; empty if unknown. */
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
 * Saves the network that somebody confirmed for these phones. If it does not contradict a phone's prefix,
 * any saved network is forgotten instead.
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
