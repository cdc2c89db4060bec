import type { Network } from '../provider/network.ts'

/** People's words for the networks (lists rule 4), in lower case without spaces. */
const words = new Map<string, Network>([
  ['mtn', 'MTN'],
  ['telecel', 'Telecel'],
  ['vodafone', 'Telecel'],
  ['voda', 'Telecel'],
  ['at', 'AirtelTigo'],
  ['airteltigo', 'AirtelTigo'],
  ['tigo', 'AirtelTigo'],
  ['airtel', 'AirtelTigo'],
  ['bigtime', 'BigTime'],
])

/** The network that one word or two name, else null. */
export const readNetwork = (text: string): Network | null =>
  words.get(text.toLowerCase().replace(/[\s_-]/g, '')) ?? null
