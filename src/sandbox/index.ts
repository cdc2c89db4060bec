/**
 * A simulated Telegram and a simulated provider on this machine, to test a bot or a client of the provider's API. They
 * contain nothing about the program that uses them.
 *
 * @module
 */
export * from './provider/index.ts'
export * from './telegram/index.ts'
