/** What there is help on, in the order of the buttons. */
export const helpTopics = [
  'order',
  'lists',
  'customers',
  'orders',
  'follow',
  'prices',
  'wallet',
  'agents',
  'settings',
  'trouble',
] as const
export type HelpTopic = (typeof helpTopics)[number]

export const isHelpTopic = (word: string): word is HelpTopic => helpTopics.some((topic) => topic === word)
