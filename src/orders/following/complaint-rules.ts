import { z } from 'zod'
import { complaintRules } from '../../domain/order/complaint.ts'
import { networkFact } from '../../store/operators/network-facts.ts'

/** How long the provider accepts complaints about each network. Operators set it. */
export const { read: complaintRulesOf, set: setComplaintRule } = networkFact(
  'complaint_rules',
  z.enum(complaintRules),
)
