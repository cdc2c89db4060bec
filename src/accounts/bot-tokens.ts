import type { BotRow, BotStore } from '../store/bots.ts'
import { CannotOpen, type Keyring, keyIdOf } from '../wallets/keyring.ts'

/** The place that an added bot's token is sealed to, by the main bot's keys. */
const placeOf = (botId: number): string => `bot:${botId}/token`

/** Seals a bot's token. */
export const sealToken = (keyring: Keyring, botId: number, token: string): string =>
  keyring.seal(token, placeOf(botId))

/** Opens a bot's token. @throws {CannotOpen} */
export const openToken = (
  keyring: Keyring,
  { id, sealedToken }: Pick<BotRow, 'id' | 'sealedToken'>,
): string => keyring.open(sealedToken, placeOf(id))

/** The same; null if no key opens it. */
export const readToken = (keyring: Keyring, row: Pick<BotRow, 'id' | 'sealedToken'>): string | null => {
  try {
    return openToken(keyring, row)
  } catch (error) {
    if (error instanceof CannotOpen) return null
    throw error
  }
}

/** How the tokens stand: those not sealed under the first key, and those that no key opens, by the bots' ids. */
export interface TokenSurvey {
  all: number
  outdated: number[]
  unreadable: number[]
}

/** The bots whose tokens are here. */
const withTokens = async (bots: BotStore): Promise<BotRow[]> =>
  (await bots.all()).filter(({ sealedToken }) => sealedToken !== '')

/** Seals outdated tokens under the first key, each in a commit of its own. */
export const resealTokens = async (bots: BotStore, keyring: Keyring): Promise<void> => {
  for (const row of await withTokens(bots)) {
    const token = isUnderFirst(keyring, row) ? null : readToken(keyring, row)
    if (token !== null) await bots.reseal(row.id, row.sealedToken, sealToken(keyring, row.id, token))
  }
}

/** Counts how the tokens stand. */
export const surveyTokens = async (bots: BotStore, keyring: Keyring): Promise<TokenSurvey> => {
  const rows = await withTokens(bots)
  const unreadable = rows.filter((row) => readToken(keyring, row) === null)
  const outdated = rows.filter((row) => !unreadable.includes(row) && !isUnderFirst(keyring, row))
  return {
    all: rows.length,
    outdated: outdated.map(({ id }) => id),
    unreadable: unreadable.map(({ id }) => id),
  }
}

const isUnderFirst = ({ keyIds: [first] }: Keyring, { sealedToken }: BotRow): boolean =>
  keyIdOf(sealedToken) === first
