import type { PriceRule, Shop } from '../../../domain/selling/price-rule.ts'
import { bundlesOf } from '../../../orders/buying/prices.ts'
import type { Person } from '../../../orders/buying/purchases.ts'
import { type Bundle, networks } from '../../../provider/index.ts'
import { type Pesewas, pesewas } from '../../../provider/money.ts'
import { isSameRule } from '../../../shop/brief-rule.ts'
import { readAmount } from '../../../shop/written-amount.ts'
import { readRule, ruleAdding } from '../../../shop/written-rule.ts'
import { readTier } from '../../../shop/written-tier.ts'
import type { ActOf } from '../../buttons/table.ts'
import { sellingLabels } from '../../cards/words/shop.ts'
import { askNext, type BotContext, forgetQuestion } from '../../chat/context.ts'
import { askingFor, type Button, homeButton, inRows, pagingButtons, type Screen } from '../../chat/screen.ts'
import { noBundles, soldNoMore } from '../../words/bundle.ts'
import { hints } from '../../words/hints.ts'
import { labels } from '../../words/labels.ts'
import { withCosts } from '../buying/priced-bundles.ts'
import { noScope, takeTier } from './price-tiers.ts'
import { addRows, exampleOf, pricedBundle, readableBundles, sellingButton } from './shop.ts'
import * as words from './words.ts'

/** The acts that set prices. Only owners may use them. */
type OwnersAct = Extract<
  ActOf<'selling'>,
  {
    act:
      | 'rule'
      | 'add'
      | 'rounding'
      | 'round'
      | 'no_rule'
      | 'undo_rule'
      | 'networks'
      | 'bundles'
      | 'bundle'
      | 'by_rule'
      | 'undo_price'
  }
>

/** Handles a button that sets prices. */
export const press = async (ctx: BotContext, person: Person, act: OwnersAct): Promise<void> => {
  switch (act.act) {
    case 'rule':
      return showRule(ctx, person, null)
    case 'add':
      return changeRule(ctx, person, (present) => ruleAdding(act.kind, act.value, present))
    case 'rounding':
      return showRounding(ctx, person)
    case 'round':
      return changeRule(ctx, person, (present) => present && { ...present, roundPesewas: act.pesewas })
    case 'no_rule':
      return changeRule(ctx, person, () => null)
    case 'undo_rule':
      return undoRule(ctx, person, act)
    case 'networks':
      return ctx.talk.show(networksScreen)
    case 'bundles':
      return showBundles(ctx, person, act.network, act.page)
    case 'bundle':
      return askPrice(ctx, person, act.bundleId)
    case 'by_rule':
      return changePrice(ctx, person, act.bundleId, null)
    case 'undo_price':
      return undoPrice(ctx, person, act)
    default:
      return act satisfies never
  }
}

// ── The price rule ──────────────────────────────────────────────────────────────────────────────────────────────────

interface RuleChange {
  before: PriceRule | null
  after: PriceRule | null
}

/** Shows the price rule for all bundles. @param change the last change, which a button can undo. */
const showRule = async (ctx: BotContext, { accountId }: Person, change: RuleChange | null): Promise<void> => {
  await askNext(ctx, { what: 'selling', ask: { about: 'rule' } })
  ctx.talk.aside(async () => {
    const bundles = await readableBundles(ctx.services, accountId)
    const shop = await ctx.services.store.shops.of(accountId)
    ctx.talk.show(ruleScreen(shop, bundles ?? [], change))
  })
}

const ruleScreen = (shop: Shop, bundles: Bundle[], change: RuleChange | null): Screen => {
  const screen = words.ruleScreen({
    rule: shop.rule,
    tiers: shop.tiers.length,
    own: shop.own.size,
    example: exampleOf(shop, bundles),
  })
  return {
    text: change ? `${words.ruleSaved(change.after)}\n\n${screen}` : screen,
    rows: [
      change ? [sellingButton(sellingLabels.undo, { act: 'undo_rule', ...change })] : [],
      ...addRows(shop.rule, (kind, value) => ({ act: 'add', kind, value })),
      shop.rule ? ruleButtons(shop.rule, change !== null) : [],
      [sellingButton(sellingLabels.tiers, { act: 'tiers', page: 0 })],
      [sellingButton(sellingLabels.onePrice, { act: 'networks' })],
      [sellingButton(labels.back, { act: 'menu', network: null })],
    ],
  }
}

const roundings = [1, 10, 50, 100].map(pesewas)

/** Right after a change, `Undo` takes the place of `Remove rule`. */
const ruleButtons = ({ roundPesewas }: PriceRule, isChanged: boolean): Button[] => [
  sellingButton(words.roundingLabel(roundPesewas), { act: 'rounding' }),
  ...(isChanged ? [] : [sellingButton(sellingLabels.noRule, { act: 'no_rule' })]),
]

/** Asks to what amount the rule's prices are rounded up. */
const showRounding = async (ctx: BotContext, person: Person): Promise<void> => {
  const { rule } = await ctx.services.store.shops.of(person.accountId)
  if (!rule) return showRule(ctx, person, null)
  const buttons = roundings.map((pesewas) =>
    sellingButton(words.roundLabel(pesewas, pesewas === rule.roundPesewas), { act: 'round', pesewas }),
  )
  ctx.talk.show({ text: words.askRounding, rows: [...inRows(buttons, 2), [backToRule]] })
}

const changeRule = async (
  ctx: BotContext,
  person: Person,
  next: (present: PriceRule | null) => PriceRule | null,
): Promise<void> => {
  const change = await ctx.services.store.transaction(
    async (tx) => {
      const { rule: before } = await tx.shops.of(person.accountId)
      const after = next(before)
      if (!isSameRule(before, after)) await tx.shops.rule(person.accountId, after)
      return { before, after }
    },
    { accounts: [person.accountId] },
  )
  const isChanged = !isSameRule(change.before, change.after)
  ctx.talk.toast(isChanged ? words.savedToast : words.sameAsBefore)
  await showRule(ctx, person, isChanged ? change : null)
}

const undoRule = async (ctx: BotContext, person: Person, { before, after }: RuleChange): Promise<void> => {
  const isUndone = await ctx.services.store.transaction(
    async (tx) => {
      const { rule } = await tx.shops.of(person.accountId)
      if (!isSameRule(rule, after)) return false
      await tx.shops.rule(person.accountId, before)
      return true
    },
    { accounts: [person.accountId] },
  )
  ctx.talk.toast(isUndone ? words.undone : words.notUndone)
  await showRule(ctx, person, null)
}

export const takeRule = async (ctx: BotContext, person: Person, text: string): Promise<void> => {
  const shop = await ctx.services.store.shops.of(person.accountId)
  if (readTier(text, shop)) return takeTier(ctx, person, noScope, text)
  const written = readRule(text, shop.rule)
  if (written.kind === 'refused') ctx.talk.say(askingFor(hints.rule, words.notARule(written.fault)))
  else await changeRule(ctx, person, () => written.rule)
}

// ── The price of one bundle ────────────────────────────────────────────────────────────────────────────────────

const backToRule = sellingButton(labels.back, { act: 'rule' })

const networksScreen: Screen = {
  text: words.whichNetwork,
  rows: [
    ...inRows(
      networks.map((network) => sellingButton(network, { act: 'bundles', network, page: 0 })),
      2,
    ),
    [backToRule],
  ],
}

const perPage = 4

const showBundles = async (ctx: BotContext, person: Person, network: string, page: number): Promise<void> => {
  withCosts(ctx, person, async (bundles) => {
    const shop = await ctx.services.store.shops.of(person.accountId)
    ctx.talk.show(bundlesScreen(shop, bundles, network, page))
  })
}

const bundlesScreen = (shop: Shop, bundles: Bundle[], network: string, page: number): Screen => {
  const sold = bundlesOf(bundles, network)
  const back = sellingButton(labels.back, { act: 'networks' })
  if (sold.length === 0) return { text: noBundles(network), rows: [[back]] }
  const shown = sold.slice(page * perPage, (page + 1) * perPage)
  return {
    text: words.whichBundle(network),
    rows: [
      ...shown.map((bundle) => [
        sellingButton(words.sellingLabel(pricedBundle(shop, bundle, bundles)), {
          act: 'bundle',
          bundleId: bundle.id,
        }),
      ]),
      pagingButtons(page, (page + 1) * perPage < sold.length, (label, to) =>
        sellingButton(label, { act: 'bundles', network, page: to }),
      ),
      [back, homeButton],
    ],
  }
}

const askPrice = async (ctx: BotContext, person: Person, bundleId: number): Promise<void> => {
  await askNext(ctx, { what: 'selling', ask: { about: 'price', bundleId } })
  withCosts(ctx, person, async (bundles) => {
    const shop = await ctx.services.store.shops.of(person.accountId)
    const bundle = bundles.find(({ id }) => id === bundleId)
    if (!bundle) return ctx.talk.show({ text: soldNoMore, rows: [[backToRule]] })
    const priced = pricedBundle(shop, bundle, bundles)
    const byRule = sellingButton(sellingLabels.byRule, { act: 'by_rule', bundleId })
    ctx.talk.show({
      text: words.bundlePrice(priced),
      rows: [priced.isOwn ? [byRule] : [], [backToBundles(bundle)]],
    })
  })
}

const backToBundles = ({ network }: Bundle): Button =>
  sellingButton(labels.back, { act: 'bundles', network, page: 0 })

export const takePrice = async (
  ctx: BotContext,
  person: Person,
  bundleId: number,
  text: string,
): Promise<void> => {
  const amount = readAmount(text)
  if (amount.kind === 'refused') ctx.talk.say(askingFor(hints.price, words.notAPrice(amount.fault)))
  else if (amount.pesewas === 0) ctx.talk.say(askingFor(hints.price, words.notAPrice('zero')))
  else await changePrice(ctx, person, bundleId, amount.pesewas)
}

/** Sets a bundle's price, and offers an undo. @param after null: the bundle follows the rule again. */
const changePrice = async (
  ctx: BotContext,
  person: Person,
  bundleId: number,
  after: Pesewas | null,
): Promise<void> => {
  const before = await ctx.services.store.transaction(
    async (tx) => {
      const { own } = await tx.shops.of(person.accountId)
      await tx.shops.price(person.accountId, bundleId, after)
      return own.get(bundleId) ?? null
    },
    { accounts: [person.accountId] },
  )
  await forgetQuestion(ctx)
  ctx.talk.toast(words.savedToast)
  const undo = sellingButton(sellingLabels.undo, { act: 'undo_price', bundleId, before, after })
  showPrice(ctx, person, bundleId, before === after ? [] : [undo])
}

const showPrice = (ctx: BotContext, person: Person, bundleId: number, buttons: Button[]): void => {
  ctx.talk.aside(async () => {
    const bundles = (await readableBundles(ctx.services, person.accountId)) ?? []
    const shop = await ctx.services.store.shops.of(person.accountId)
    const bundle = bundles.find(({ id }) => id === bundleId)
    ctx.talk.show({
      text: bundle ? words.priceSaved(pricedBundle(shop, bundle, bundles)) : words.priceSavedUnseen,
      rows: [buttons, [bundle ? backToBundles(bundle) : backToRule]],
    })
  })
}

const undoPrice = async (
  ctx: BotContext,
  person: Person,
  { bundleId, before, after }: Extract<ActOf<'selling'>, { act: 'undo_price' }>,
): Promise<void> => {
  const isUndone = await ctx.services.store.transaction(
    async (tx) => {
      const { own } = await tx.shops.of(person.accountId)
      if ((own.get(bundleId) ?? null) !== after) return false
      await tx.shops.price(person.accountId, bundleId, before)
      return true
    },
    { accounts: [person.accountId] },
  )
  ctx.talk.toast(isUndone ? words.undone : words.notUndone)
  showPrice(ctx, person, bundleId, [])
}
