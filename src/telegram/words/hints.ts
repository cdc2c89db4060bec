/**
 * Hints in the empty text field while an answer is asked for: a form or an example, at most 64 characters. The
 * message says the same, because older apps show no hints.
 */
export const hints = {
  number: '0241234567',
  price: '26.50',
  letter: 'A',
  tier: 'from 10GB +2',
  rule: '+2, 10% or +2 round 0.50',
  dates: '1 Jan to 31 Mar',
  prefix: '0256 MTN',
  balanceCode: 'MTN *124#',
  botName: 'Akosua Data',
  userId: '123456789',
  key: 'API key',
  secret: 'API secret',
  question: 'When will it arrive?',
  answer: 'It’s on its way.',
} as const

/** A size that each network sells in only one offer, so that ordering the example needs no further question. */
export const exampleSize = '2GB'

export const exampleOrder = `0241234567 ${exampleSize}`

/** Says how to order with one message. */
export const orderHint = `To order, send a number and a size: <code>${exampleOrder}</code>.`
