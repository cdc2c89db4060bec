import { wait } from '../../base/wait.ts'
import { wallTime } from '../../messaging/time-zone.ts'
import type { Pesewas } from '../../provider/money.ts'
import { readTally } from '../../shop/tally.ts'
import type { Store } from '../../store/store.ts'
import { asOf } from '../../wallets/balance-reading.ts'
import { button, homeButton, type Screen } from '../chat/screen.ts'
import { plainMoment, when } from '../chat/time.ts'
import { homeLabels } from '../words/labels.ts'
import { amountsFor, viewOf } from './viewer.ts'
import * as words from './words/summary.ts'

/** Reads an account's balance again if the provider's limits allow it, and stores it. */
export type ReadBalance = (accountId: string) => Promise<unknown>

/** The period of a summary, in epoch milliseconds. */
export interface SummaryPeriod {
  fromMs: number
  toMs: number
}

/** How long the summary waits for a balance, ms. The chat's later messages wait too. */
const balanceMs = 3_000

/**
 * The daily summary as of now; null if the person is no longer a member. @param chatId in a private chat, also the
 * user's id.
 */
export const summaryScreen = async (
  { store, readBalance, now }: { store: Store; readBalance: ReadBalance; now: () => Date },
  chatId: number,
  { fromMs, toMs }: SummaryPeriod,
): Promise<Screen | null> => {
  const member = await store.accounts.member(chatId)
  if (!member) return null
  const isOwner = member.role === 'owner'
  const { accountId } = member
  const { prices } = await viewOf(store, member, member.role)
  const whose = { accountId, userId: isOwner ? null : member.userId, prices: amountsFor(prices) }
  const tally = await readTally(store.tallies, whose, { from: new Date(fromMs), to: new Date(toMs) })
  const { timeZone } = await store.preferences.of(chatId)
  const balance = isOwner ? await balanceOf({ store, readBalance, now }, accountId) : null
  return {
    text: words.summary({ since: since(new Date(fromMs), timeZone), tally, isOwner, prices, balance }),
    rows:
      tally.ordered === 0
        ? []
        : [
            [button(homeLabels.sales, { do: 'stats', period: 'week' }), homeButton],
            isOwner ? [button(homeLabels.closeDay, { do: 'close_day', picture: false })] : [],
          ],
  }
}

/** The start of the summary by the person's own clock. */
const since = (from: Date, timeZone: string): string => {
  const { year, month, day, minutes } = wallTime(from, timeZone)
  const shown = new Date(Date.UTC(year, month - 1, day, 0, minutes))
  return plainMoment(shown, shown)
}

const balanceOf = async (
  { store, readBalance, now }: { store: Store; readBalance: ReadBalance; now: () => Date },
  accountId: string,
): Promise<{ pesewas: Pesewas; known: string | null } | null> => {
  // If the read fails or takes too long, the last known balance is shown with its time.
  await Promise.race([readBalance(accountId).catch(() => {}), wait(balanceMs)])
  const account = await store.accounts.byId(accountId)
  if (!account || account.balancePesewas === null) return null
  const readAt = account.balanceAt && (await asOf(store, accountId, account.balanceAt, now()))
  return { pesewas: account.balancePesewas, known: readAt && when(readAt, now()) }
}
