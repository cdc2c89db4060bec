import { bundlesSeen } from '../../../domain/list-draft.ts'
import type { Offer } from '../../../domain/order/order.ts'
import type { ListedBundle } from '../../../lists/meaning/listed-bundle.ts'
import { offerOf } from '../../../orders/buying/prices.ts'
import type { Person } from '../../../orders/buying/purchases.ts'
import { pricesSeenBy } from '../../../orders/buying/spendable.ts'
import type { Bundle } from '../../../provider/index.ts'
import { isWalletError, type WalletError } from '../../../wallets/wallets.ts'
import type { Asker } from '../../chat/context.ts'
import * as unreadableTexts from '../../words/unreadable.ts'
import { type Ask, endSame, keepAsk } from '../wallet/unanswered.ts'

/** Returns what a draft stores about a bundle, including its cost. */
export type Offered = (bundle: Pick<ListedBundle, 'id'>) => Offer

/**
 * Reads the account's price list and continues with the prices that the person sees. If the read fails, the person is
 * told.
 * @param ask the request to try again later if the read fails; null: none.
 */
export const withPrices = (
  ctx: Asker,
  person: Person,
  work: (bundles: ListedBundle[], offered: Offered) => Promise<void>,
  ask: Ask | null = null,
): void =>
  withCosts(
    ctx,
    person,
    async (bundles) => {
      const seen =
        person.role === 'owner' ? undefined : (await pricesSeenBy(ctx.services.store, person, bundles)).seen
      const offered: Offered = ({ id }) => {
        const bundle = bundles.find((each) => each.id === id)
        if (!bundle) throw new Error(`The bundle ${id} is not in the list.`)
        return offerOf(bundle, bundles)
      }
      await work(bundlesSeen(seen ? { bundles, seen } : { bundles }), offered)
    },
    ask,
  )

/** Like `withPrices`, but with costs: for owners, and for work that shows no prices. */
export const withCosts = (
  ctx: Asker,
  person: Person,
  work: (bundles: Bundle[]) => Promise<void>,
  ask: Ask | null = null,
): void => {
  ctx.talk.aside(async () => {
    try {
      const { bundles } = await ctx.services.prices.list(person.accountId, 'person')
      if (ask && !ctx.onUnread) await endSame(ctx, ask)
      await work(bundles)
    } catch (error) {
      if (!isWalletError(error)) throw error
      ctx.services.onNotice()
      await sayUnread(ctx, { person, ask, what: unreadableTexts.readable.bundles }, error)
    }
  })
}

/**
 * Says that something could not be read from the provider. If another try can help, keeps the request and tries it
 * again later.
 */
export const sayUnread = async (
  ctx: Asker,
  { person, ask, what }: { person: Person; ask: Ask | null; what: string },
  error: WalletError,
): Promise<void> => {
  if (ctx.onUnread) ctx.onUnread(error)
  else if (!ask || !(await keepAsk(ctx, person, ask, error)))
    ctx.talk.say(unreadableTexts.cannotRead(what, error))
}
