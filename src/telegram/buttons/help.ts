/** What there is help on, in the order of the buttons. */
export const helpTopics = [
  'order',
  'lists',
  'contacts',
  'orders',
  'follow',
  'prices',
  'wallet',
  'agents',
  'settings',
  'trouble',
] as const

/** A topic that has help of its own. */
export type HelpTopic = (typeof helpTopics)[number]
