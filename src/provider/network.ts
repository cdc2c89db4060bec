/** The networks whose bundles the provider sells (API §1). If it adds one later, that name remains a plain string. */
export const networks = ['MTN', 'Telecel', 'AirtelTigo', 'BigTime'] as const

export type Network = (typeof networks)[number]

/** Whether a word is a documented network, in its documented spelling. */
export const isNetwork = (word: string): word is Network => networks.some((network) => network === word)
