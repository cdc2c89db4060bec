import { endAlert } from '../messaging/alerts.ts'
import { minus, type Pesewas, plus, zero } from '../provider/money.ts'
import type { Account } from '../store/accounts/accounts.ts'
import type { WarnedOwner } from '../store/chats/preferences.ts'
import type { Queries } from '../store/store.ts'

/**
 * What is known about a wallet's balance, and who is warned when it runs low. Each owner sets a level. An owner is
 * warned once when the balance falls below it, and again only after the balance has reached the level in between:
 *
 * | balance | owner already warned | then |
 * |---|---|---|
 * | below the level | no | a notice is queued, and the owner is marked as warned |
 * | below the level | yes | nothing |
 * | at or above the level | either | the mark is removed, and the alert is closed |
 *
 * Each change of the mark is one guarded update, so that only one of several answers that arrive together warns.
 */

/** A balance from an answer of the provider. */
export interface HeardBalance {
  balancePesewas: Pesewas
  /** When the request was sent. The balance is at least as new as this. */
  askedAt: Date
  /** When the answer arrived. */
  at: Date
}

type Known = Pick<Account, 'balancePesewas' | 'balanceAt'>

/**
 * Whether a balance replaces the stored one. If the two requests overlapped, nobody can say which balance is newer.
 * Then the lower one is believed, because orders that are placed at the same time only reduce the balance.
 */
export const isNewer = (
  { balancePesewas, askedAt }: Pick<HeardBalance, 'balancePesewas' | 'askedAt'>,
  known: Known,
): boolean =>
  known.balancePesewas === null ||
  known.balanceAt === null ||
  askedAt >= known.balanceAt ||
  balancePesewas < known.balancePesewas

export interface KnownWallet {
  account: Account | null
  /** Whether an owner wants to be warned when the balance runs low. */
  isBalanceWatched: boolean
}

/**
 * Stores a balance that the provider gave, unless a newer one is known, and warns owners.
 * @param chargedPesewas the charge in the same answer, which the balance already includes
 * @returns false if a newer balance is known
 */
export const noteBalance = async (
  tx: Queries,
  accountId: string,
  heard: HeardBalance,
  accountType: string | null = null,
  known: KnownWallet | null = null,
  chargedPesewas = zero,
): Promise<boolean> => {
  const [isStored, owners] = await Promise.all([
    remember(tx, accountId, heard, { accountType, chargedPesewas }, known?.account ?? null),
    known?.isBalanceWatched === false ? [] : tx.preferences.warnedOwners(accountId),
  ])
  if (isStored) await warn(tx, owners, accountId, heard)
  return isStored
}

/**
 * Records a charge that became known without a balance. If the stored balance does not include the charge yet, it is
 * lowered. A negative charge takes back an earlier one that proved not to be the account's.
 */
export const noteCharge = async (
  tx: Queries,
  accountId: string,
  chargedPesewas: Pesewas,
  at: Date,
): Promise<void> => {
  const before = await tx.accounts.byId(accountId)
  if (!before || before.balancePesewas === null || before.explainedPesewas === null) return
  await tx.accounts.lowerExplained(accountId, chargedPesewas)
  const balancePesewas = await balanceOf(tx, accountId)
  if (balancePesewas === before.balancePesewas) return
  const owners = await tx.preferences.warnedOwners(accountId)
  await warn(tx, owners, accountId, { balancePesewas, at })
}

/**
 * Stores a balance, and tries again if another answer's balance was stored in between.
 * @returns false if a newer balance is known, or every try failed
 */
const remember = async (
  tx: Queries,
  accountId: string,
  heard: HeardBalance,
  { accountType, chargedPesewas }: { accountType: string | null; chargedPesewas: Pesewas },
  before: Account | null,
): Promise<boolean> => {
  for (let tries = 1; tries <= 5; tries += 1) {
    const known = tries === 1 && before ? before : await tx.accounts.byId(accountId)
    if (!known || !isNewer(heard, known)) {
      if (chargedPesewas > 0) await tx.accounts.lowerExplained(accountId, chargedPesewas)
      return false
    }
    const { explainedPesewas, isUnexplained } = await explained(tx, known, heard, chargedPesewas)
    const at = known.balanceAt && known.balanceAt > heard.at ? known.balanceAt : heard.at
    const fresh = { balancePesewas: heard.balancePesewas, balanceAt: at, explainedPesewas, accountType }
    if (!(await tx.accounts.rememberBalance(accountId, fresh, known.balanceAt))) continue
    if (isUnexplained) await lookForExtra(tx, accountId, known.balanceAt ?? heard.at, heard.at)
    return true
  }
  return false
}

/**
 * The explained balance: what should be in the wallet after all known charges. Orders with an unknown outcome may or
 * may not have been charged. If the balance is lower than even their cost allows (`isUnexplained`), the wallet was
 * charged for something that no order here explains.
 */
const explained = async (
  tx: Queries,
  { id, explainedPesewas: before }: Pick<Account, 'id' | 'explainedPesewas'>,
  { balancePesewas }: HeardBalance,
  chargedPesewas: Pesewas,
): Promise<{ explainedPesewas: Pesewas; isUnexplained: boolean }> => {
  const expected = before === null ? null : minus(before, chargedPesewas)
  if (expected === balancePesewas) return { explainedPesewas: expected, isUnexplained: false }
  const open = await tx.orders.openCost(id)
  if (expected === null || balancePesewas > expected)
    return { explainedPesewas: plus(balancePesewas, open), isUnexplained: false }
  return { explainedPesewas: expected, isUnexplained: balancePesewas < expected - open }
}

/**
 * Makes the bot search the wallet for charges since the last explained balance. The search is scheduled on an order
 * that was sent before that balance, so that it goes back far enough. What it does not find within ten minutes counts
 * as charged outside the bot.
 */
const lookForExtra = async (tx: Queries, accountId: string, since: Date, at: Date): Promise<void> => {
  if (await tx.orders.isLookedThrough(accountId)) return
  const orderId = await tx.orders.newestSent(accountId, since)
  if (orderId === null) return endLook(tx, accountId)
  await tx.orders.patch(orderId, { refundAt: at, extraAt: at }, at)
}

/** Ends the search for unexplained charges. The current balance, if one is known, then counts as explained. */
export const endLook = async (tx: Queries, accountId: string): Promise<void> => {
  const { balancePesewas = null } = (await tx.accounts.byId(accountId)) ?? {}
  if (balancePesewas !== null) await tx.accounts.explainBalance(accountId, balancePesewas)
}

const balanceOf = async (tx: Queries, accountId: string): Promise<Pesewas> =>
  (await tx.accounts.byId(accountId))?.balancePesewas ?? zero

const warn = async (
  tx: Queries,
  owners: readonly WarnedOwner[],
  accountId: string,
  { balancePesewas, at }: Pick<HeardBalance, 'balancePesewas' | 'at'>,
): Promise<void> => {
  for (const owner of owners) {
    const { userId, chatId, lowBalancePesewas, lowBalanceToldAt } = owner
    if (balancePesewas >= lowBalancePesewas) {
      const isOver = lowBalanceToldAt !== null && (await tx.preferences.balanceIsUp(userId, balancePesewas))
      if (isOver) await endAlert(tx, chatId, 'balance', at)
      continue
    }
    if (lowBalanceToldAt !== null) continue
    const levelPesewas = await tx.preferences.balanceIsLow(userId, balancePesewas, at)
    if (levelPesewas === null) continue
    const notice = { kind: 'low_balance', subject: `balance:${accountId}`, accountId } as const
    await tx.notices.enqueue(chatId, { ...notice, balancePesewas, levelPesewas }, at)
  }
}

/**
 * Stores the level below which a person is warned.
 * @param levelPesewas null for no warnings
 * @returns the balance if it is already below the level, so that the caller can say so immediately; otherwise null
 */
export const settleLevel = async (
  tx: Queries,
  { accountId, userId }: { accountId: string; userId: number },
  levelPesewas: Pesewas | null,
  at: Date,
): Promise<Pesewas | null> => {
  const balance = (await tx.accounts.byId(accountId))?.balancePesewas ?? null
  const isLow = balance !== null && levelPesewas !== null && balance < levelPesewas
  if (!isLow) await endAlert(tx, userId, 'balance', at)
  await tx.preferences.change(userId, {
    lowBalancePesewas: levelPesewas,
    lowBalanceToldAt: isLow ? at : null,
  })
  return isLow ? balance : null
}
