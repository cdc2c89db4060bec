/** The networks whose bundles the provider sells (API §1). A network that it adds later stays a plain string. */
export const networks = ['MTN', 'Telecel', 'AirtelTigo', 'BigTime'] as const

/** One of the documented networks. */
export type Network = (typeof networks)[number]

/** Whether a word is a documented network in its documented spelling. */
export const isNetwork = (word: string): word is Network => networks.some((network) => network === word)
