/** The networks that the provider sells bundles of (API §1). A network that it names later stays a plain string. */
export const networks = ['MTN', 'Telecel', 'AirtelTigo', 'BigTime'] as const

export type Network = (typeof networks)[number]

export const isNetwork = (word: string): word is Network => (networks as readonly string[]).includes(word)
