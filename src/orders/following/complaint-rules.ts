import { z } from 'zod'
import { type ComplaintRule, complaintRules } from '../../domain/order/complaint.ts'
import { networks } from '../../provider/network.ts'
import type { Queries } from '../../store/store.ts'

/** The name of the fact that says how long the provider accepts complaints about each network. Operators set it. */
const rulesFact = 'complaint_rules'

const rulesSchema = z.partialRecord(z.enum(networks), z.enum(complaintRules))

const rulesIn = (fact: string | null): Partial<Record<string, ComplaintRule>> =>
  fact ? rulesSchema.parse(JSON.parse(fact)) : {}

/** The rules, by network. */
export const complaintRulesOf = async ({
  facts,
}: {
  facts: Pick<Queries['facts'], 'read'>
}): Promise<Partial<Record<string, ComplaintRule>>> => rulesIn(await facts.read(rulesFact))

/** Sets a network's rule; null removes it. Call it in a transaction. */
export const setComplaintRule = async (
  { facts }: { facts: Pick<Queries['facts'], 'lock' | 'write'> },
  network: string,
  rule: ComplaintRule | null,
): Promise<void> => {
  const { [network]: _, ...others } = rulesIn(await facts.lock(rulesFact))
  await facts.write(rulesFact, JSON.stringify(rule === null ? others : { ...others, [network]: rule }))
}
