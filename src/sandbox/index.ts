/**
 * A Telegram and a provider on this machine, for a bot or a client of the provider's API. Neither knows anything of
 * the program that uses it.
 *
 * @module
 */
export * from './provider/index.ts'
export * from './telegram/index.ts'
