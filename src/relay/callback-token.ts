/**
 * The last part of an order's address for callbacks: what the bot signed, with the bot's id and a dot before it if it is an
 * added one.
 */
export const callbackToken = (botId: number | null, signed: string): string =>
  botId === null ? signed : `${botId}.${signed}`

/** Takes the token apart. The signature is still to be verified, by that bot's keys. */
export const readCallbackToken = (token: string): { botId: number | null; signed: string } => {
  const [, id, signed] = /^(\d{1,15})\.(.*)$/s.exec(token) ?? []
  return id === undefined ? { botId: null, signed: token } : { botId: Number(id), signed: signed ?? '' }
}
