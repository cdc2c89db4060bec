import type { Pesewas } from '../provider/money.ts'
import type { Account } from '../store/accounts.ts'
import type { Queries } from '../store/store.ts'

/**
 * What is known of a wallet's balance, and who is warned that it runs low. Owners settle a level each; who is below
 * it is told once, and again only after the balance was seen at the level or above:
 *
 * | balance | told of this crossing | then |
 * |---|---|---|
 * | below the level | no | a notice is owed, and the crossing is marked as told |
 * | below the level | yes | nothing |
 * | at the level or above | either | the mark goes |
 *
 * Each arrow is one guarded update, so that of answers that come in at the same moment one tells.
 */

/** A balance as the provider answered it. */
export interface HeardBalance {
  balancePesewas: Pesewas
  /** Before the request left: the balance is no older than that. */
  askedAt: Date
  /** When the answer was there. */
  at: Date
}

type Known = Pick<Account, 'balancePesewas' | 'balanceAt'>

/**
 * Whether the balance takes the place of the known one. Of two answers that overlapped nobody can say which is the
 * newer: then the lower is believed, because it is orders that are under way at the same time, and these only take.
 */
export const isNewer = (
  { balancePesewas, askedAt }: Pick<HeardBalance, 'balancePesewas' | 'askedAt'>,
  known: Known,
): boolean =>
  known.balancePesewas === null ||
  known.balanceAt === null ||
  askedAt >= known.balanceAt ||
  balancePesewas < known.balancePesewas

/** Every balance that is learned goes through here. @returns whether it is what is known now. */
export const noteBalance = async (
  tx: Queries,
  accountId: string,
  heard: HeardBalance,
  accountType?: string | null,
): Promise<boolean> => {
  if (!(await remember(tx, accountId, heard, accountType))) return false
  await warnOwners(tx, accountId, heard)
  return true
}

/** Looks again where another answer was written in between. */
const remember = async (
  tx: Queries,
  accountId: string,
  heard: HeardBalance,
  accountType: string | null = null,
): Promise<boolean> => {
  for (let tries = 1; tries <= 5; tries += 1) {
    const known = await tx.accounts.byId(accountId)
    if (!known || !isNewer(heard, known)) return false
    const at = known.balanceAt && known.balanceAt > heard.at ? known.balanceAt : heard.at
    const fresh = { balancePesewas: heard.balancePesewas, balanceAt: at, accountType }
    if (await tx.accounts.rememberBalance(accountId, fresh, known.balanceAt)) return true
  }
  return false
}

const warnOwners = async (
  tx: Queries,
  accountId: string,
  { balancePesewas, at }: HeardBalance,
): Promise<void> => {
  for (const { userId, chatId, role } of await tx.accounts.members(accountId)) {
    if (role !== 'owner') continue
    await tx.preferences.balanceIsUp(userId, balancePesewas)
    const levelPesewas = await tx.preferences.balanceIsLow(userId, balancePesewas, at)
    if (levelPesewas === null) continue
    const notice = { kind: 'low_balance', subject: `balance:${accountId}`, accountId } as const
    await tx.notices.owe(chatId, { ...notice, balancePesewas, levelPesewas }, at)
  }
}

/**
 * Settles the level below which an owner is warned; null: not at all.
 * @returns the balance where it is below the level already: that is told at once, by whoever asked.
 */
export const settleLevel = async (
  tx: Queries,
  { accountId, userId }: { accountId: string; userId: number },
  levelPesewas: Pesewas | null,
  at: Date,
): Promise<Pesewas | null> => {
  const balance = (await tx.accounts.byId(accountId))?.balancePesewas ?? null
  const isLow = balance !== null && levelPesewas !== null && balance < levelPesewas
  await tx.preferences.change(userId, {
    lowBalancePesewas: levelPesewas,
    lowBalanceToldAt: isLow ? at : null,
  })
  return isLow ? balance : null
}
