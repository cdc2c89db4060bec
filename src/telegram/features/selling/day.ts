import { dayIn, startOfDay } from '../../../messaging/time-zone.ts'
import type { Person } from '../../../orders/buying/purchases.ts'
import { explain } from '../../../orders/reconciling/explanation.ts'
import { dayPicture } from '../../../pictures/day.ts'
import type { Transaction } from '../../../provider/index.ts'
import { closeDay, type DayClose } from '../../../shop/day-close.ts'
import { readTally } from '../../../shop/tally.ts'
import { newestFirst, pagesOf, readPages } from '../../../wallets/reader.ts'
import { newHistory } from '../../../wallets/wallet-history.ts'
import { isWalletError } from '../../../wallets/wallets.ts'
import type { BotContext } from '../../chat/context.ts'
import { type Button, button, homeButton } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'
import { labels } from '../../words/labels.ts'
import { cannotRead } from '../../words/unreadable.ts'
import * as words from './day-words.ts'
import { pictureHeading } from './words.ts'

/** `Close the day`: adds up the owner's day, as a text or as a picture. */
export const close = (ctx: BotContext, person: Person, { picture }: { picture: boolean }): void =>
  ctx.talk.aside(async () => {
    try {
      await show(ctx, person, picture)
    } catch (error) {
      if (!isWalletError(error)) throw error
      ctx.talk.say({
        text: cannotRead(words.dayName, error),
        rows: [[closeButton(labels.tryAgain, picture)]],
      })
    }
  })

export const closeButton = (label: string, picture = false): Button =>
  button(label, { do: 'close_day', picture })

const show = async (ctx: BotContext, person: Person, picture: boolean): Promise<void> => {
  const { services } = ctx
  const { store, now } = services
  const { accountId, userId } = person
  const { timeZone } = await store.preferences.of(userId)
  const date = dayIn(timeZone, now())
  const from = startOfDay(timeZone, date)
  const first = await readDay(services, accountId, from)
  // An order may have been charged between the two reads.
  const isClear = first.gaps.every(({ at }) => at !== null)
  const closed = isClear ? first : await readDay(services, accountId, from)
  const tally = await readTally(
    store.tallies,
    { accountId, userId: null, prices: 'cost' },
    { from, to: now() },
  )
  if (!picture) {
    return ctx.talk.show({
      text: words.dayClosed(closed, tally, date),
      rows: [[closeButton(words.pictureLabel, true), closeButton(labels.refresh)], [homeButton]],
    })
  }
  const shop = await store.shops.of(accountId)
  const drawn = words.dayPictureOf(closed, tally, shop.name, date)
  ctx.talk.sendPhoto(async () => ({
    svg: dayPicture({ ...pictureHeading(shop), ...drawn }),
    text: drawn.subtitle,
  }))
}

const readDay = async (services: Services, accountId: string, from: Date): Promise<DayClose> => {
  const { store, wallets } = services
  const entries = await entriesSince(services, accountId, from)
  const { balancePesewas } = await wallets.ask(accountId, 'person', (provider) => provider.balance())
  return closeDay(await explain(store, accountId, entries), balancePesewas)
}

/** The wallet's entries from that time on, newest first. */
const entriesSince = async ({ wallets }: Services, accountId: string, from: Date): Promise<Transaction[]> => {
  const history = newHistory()
  const found: Transaction[] = []
  const pages = readPages(history, pagesOf(wallets, accountId, 'person'), from.getTime())
  for await (const entries of newestFirst(history, pages)) found.push(...entries)
  return found.filter(({ createdAt }) => createdAt !== null && createdAt >= from)
}
