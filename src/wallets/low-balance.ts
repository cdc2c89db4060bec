import type { Pesewas } from '../provider/money.ts'
import { endAlarm } from '../relay/alarms.ts'
import type { Account } from '../store/accounts.ts'
import type { WarnedOwner } from '../store/preferences.ts'
import type { Queries } from '../store/store.ts'

/**
 * What is known of a wallet's balance, and who is warned that it runs low. Owners settle a level each; people are
 * warned once below it, and again only after the balance was seen at the level or above:
 *
 * | balance | told of this crossing | then |
 * |---|---|---|
 * | below the level | no | a notice is owed, and the crossing is marked as told |
 * | below the level | yes | nothing |
 * | at the level or above | either | the mark goes, and the warning is closed |
 *
 * Each arrow is one guarded update, so that of answers that come in at the same moment one tells.
 */

/** A balance from the provider's answer. */
export interface HeardBalance {
  balancePesewas: Pesewas
  /** When the request left: the balance is no older. */
  askedAt: Date
  /** When the answer arrived. */
  at: Date
}

type Known = Pick<Account, 'balancePesewas' | 'balanceAt'>

/**
 * Whether a balance replaces the stored one. If two answers overlapped, nobody can say which is newer. The lower one is
 * believed then, because orders under way at the same time only reduce the balance.
 */
export const isNewer = (
  { balancePesewas, askedAt }: Pick<HeardBalance, 'balancePesewas' | 'askedAt'>,
  known: Known,
): boolean =>
  known.balancePesewas === null ||
  known.balanceAt === null ||
  askedAt >= known.balanceAt ||
  balancePesewas < known.balancePesewas

/** What a transaction has read of a wallet already. */
export interface KnownWallet {
  account: Account | null
  /** Whether an owner is to be told when the balance runs low. */
  isBalanceWatched: boolean
}

/**
 * Notes every balance that is learned.
 * @returns whether it is the stored one now.
 */
export const noteBalance = async (
  tx: Queries,
  accountId: string,
  heard: HeardBalance,
  accountType: string | null = null,
  known: KnownWallet | null = null,
): Promise<boolean> => {
  const [isStored, owners] = await Promise.all([
    remember(tx, accountId, heard, accountType, known?.account ?? null),
    known?.isBalanceWatched === false ? [] : tx.preferences.warnedOwners(accountId),
  ])
  if (isStored) await warn(tx, owners, accountId, heard)
  return isStored
}

/** Stores the balance, and looks again if another answer was stored in between. */
const remember = async (
  tx: Queries,
  accountId: string,
  heard: HeardBalance,
  accountType: string | null,
  before: Account | null,
): Promise<boolean> => {
  for (let tries = 1; tries <= 5; tries += 1) {
    const isRead = tries === 1 && before !== null
    const known = isRead ? before : await tx.accounts.byId(accountId)
    if (!known || !isNewer(heard, known)) return false
    const at = known.balanceAt && known.balanceAt > heard.at ? known.balanceAt : heard.at
    const fresh = { balancePesewas: heard.balancePesewas, balanceAt: at, accountType }
    if (await tx.accounts.rememberBalance(accountId, fresh, known.balanceAt, isRead)) return true
  }
  return false
}

const warn = async (
  tx: Queries,
  owners: readonly WarnedOwner[],
  accountId: string,
  { balancePesewas, at }: HeardBalance,
): Promise<void> => {
  for (const owner of owners) {
    const { userId, chatId, lowBalancePesewas, lowBalanceToldAt } = owner
    if (balancePesewas >= lowBalancePesewas) {
      const isOver = lowBalanceToldAt !== null && (await tx.preferences.balanceIsUp(userId, balancePesewas))
      if (isOver) await endAlarm(tx, chatId, 'balance', at)
      continue
    }
    if (lowBalanceToldAt !== null) continue
    const levelPesewas = await tx.preferences.balanceIsLow(userId, balancePesewas, at)
    if (levelPesewas === null) continue
    const notice = { kind: 'low_balance', subject: `balance:${accountId}`, accountId } as const
    await tx.notices.owe(chatId, { ...notice, balancePesewas, levelPesewas }, at)
  }
}

/**
 * Sets the level below which an owner is warned; null: no warning.
 * @returns the balance if it is below the level already: the caller tells that at once.
 */
export const settleLevel = async (
  tx: Queries,
  { accountId, userId }: { accountId: string; userId: number },
  levelPesewas: Pesewas | null,
  at: Date,
): Promise<Pesewas | null> => {
  const balance = (await tx.accounts.byId(accountId))?.balancePesewas ?? null
  const isLow = balance !== null && levelPesewas !== null && balance < levelPesewas
  if (!isLow) await endAlarm(tx, userId, 'balance', at)
  await tx.preferences.change(userId, {
    lowBalancePesewas: levelPesewas,
    lowBalanceToldAt: isLow ? at : null,
  })
  return isLow ? balance : null
}
