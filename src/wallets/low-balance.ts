import { endAlert } from '../messaging/alerts.ts'
import { minus, type Pesewas, plus, zero } from '../provider/money.ts'
import type { Account } from '../store/accounts/accounts.ts'
import type { WarnedOwner } from '../store/chats/preferences.ts'
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
 * @param chargedPesewas what the same answer says was charged: the balance is after it.
 * @returns whether it is the stored one now.
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
 * Notes a charge that became known without a balance: the known one is lower by it, if it is not in it yet. A negative
 * one takes back a charge that was not the account's.
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

/** Stores the balance, and looks again if another answer was stored in between. */
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
 * Compares a balance with what the known charges explain. An order of unknown outcome may be in it or not; a lower one
 * shows a charge that no order here has.
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
 * Has the wallet read back to the last balance that was explained. The read counts for an order that was sent before.
 * What it does not explain within ten minutes was charged by others who use the key.
 */
const lookForExtra = async (tx: Queries, accountId: string, since: Date, at: Date): Promise<void> => {
  if (await tx.orders.isLookedThrough(accountId)) return
  const orderId = await tx.orders.newestSent(accountId, since)
  if (orderId === null) return endLook(tx, accountId)
  await tx.orders.patch(orderId, { refundAt: at, extraAt: at }, at)
}

/** Ends such a look: the rest is taken as explained. */
export const endLook = async (tx: Queries, accountId: string): Promise<void> =>
  tx.accounts.explainBalance(accountId, await balanceOf(tx, accountId))

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
  if (!isLow) await endAlert(tx, userId, 'balance', at)
  await tx.preferences.change(userId, {
    lowBalancePesewas: levelPesewas,
    lowBalanceToldAt: isLow ? at : null,
  })
  return isLow ? balance : null
}
