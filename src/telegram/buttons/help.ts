/** The topics of the help, in the order of the buttons. */
export const helpTopics = ['order', 'lists', 'orders', 'selling', 'wallet', 'trouble', 'follow'] as const

export type HelpTopic = (typeof helpTopics)[number]
