/**
 * A simulated Telegram and a simulated provider on this machine, for testing a bot or a client of the provider's
 * API. They know nothing about the program that uses them.
 *
 * @module
 */
export * from './provider/index.ts'
export * from './telegram/index.ts'
