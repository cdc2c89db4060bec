/** The topics of the help, in the order of the buttons. */
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

export type HelpTopic = (typeof helpTopics)[number]
