import type { PriceRule, PriceTier, Shop } from '../../../domain/selling/price-rule.ts'
import type { Person } from '../../../orders/buying/purchases.ts'
import { type Bundle, networks } from '../../../provider/index.ts'
import { isSameRule } from '../../../shop/brief-rule.ts'
import { readRule, ruleAdding } from '../../../shop/written-rule.ts'
import { maxTiers, readTier, tierOf, type WrittenScope } from '../../../shop/written-tier.ts'
import type { ActOf } from '../../buttons/table.ts'
import { sellingLabels } from '../../cards/words/shop.ts'
import { askNext, type BotContext } from '../../chat/context.ts'
import { askingFor, type Button, pagingButtons, type Screen } from '../../chat/screen.ts'
import { hints } from '../../words/hints.ts'
import { labels } from '../../words/labels.ts'
import * as words from './price-tiers-words.ts'
import { addRows, exampleFor, readableBundles, sellingButton } from './shop.ts'
import { notARule, notUndone, sameAsBefore, savedToast, undone } from './words.ts'

/** The acts about tiers: price rules for one network, or from a certain size up. Only owners may use them. */
type TierAct = Extract<ActOf<'selling'>, { act: 'tiers' | 'tier' | 'set_tier' | 'undo_tier' }>

/** The scope of a question that is not about a certain tier: all bundles. */
export const noScope: WrittenScope = { network: null, fromMegabytes: null }

interface TierChange {
  scope: WrittenScope
  before: PriceRule | null
  after: PriceRule | null
}

/** Handles a button that shows or sets a rule by network or size. */
export const press = async (ctx: BotContext, person: Person, act: TierAct): Promise<void> => {
  if (act.act === 'tiers') return showTiers(ctx, person, null, act.page)
  if (!isScoped(act)) return showTiers(ctx, person, null)
  switch (act.act) {
    case 'tier':
      return showTier(ctx, person, scopeIn(act))
    case 'set_tier':
      return changeTier(ctx, person, scopeIn(act), act.rule)
    case 'undo_tier':
      return undoTier(ctx, person, { ...act, scope: scopeIn(act) })
    default:
      return act satisfies never
  }
}

const scopeIn = ({ network, fromMegabytes }: WrittenScope): WrittenScope => ({ network, fromMegabytes })

/** Shows all tiers, with buttons for a page of them. @param change the last change, which can be undone. */
const showTiers = async (
  ctx: BotContext,
  { accountId }: Person,
  change: TierChange | null,
  page = 0,
): Promise<void> => {
  await askNext(ctx, { what: 'selling', ask: { about: 'tier', ...noScope } })
  ctx.talk.aside(async () => {
    const bundles = await readableBundles(ctx.services, accountId)
    const shop = await ctx.services.store.shops.of(accountId)
    ctx.talk.show(tiersScreen(shop, bundles ?? [], change, page))
  })
}

const perPage = 4

const tiersScreen = (shop: Shop, bundles: Bundle[], change: TierChange | null, page: number): Screen => {
  const tiers = shop.tiers.map((tier) => ({ tier, example: exampleFor(shop, bundles, tier) }))
  const screen = words.tiersScreen(tiers, shop.rule)
  const bare = networks.filter((network) => !tierOf(shop.tiers, { network, fromMegabytes: null }))
  const newButtons = bare.map((network) =>
    sellingButton(words.newTierLabel(network), { act: 'tier', network, fromMegabytes: null }),
  )
  const all = [...shop.tiers.flatMap(tierButtons), ...newButtons]
  return {
    text: change ? `${words.tierSaved(change.after)}\n\n${screen}` : screen,
    rows: [
      change ? [undoButton(change)] : [],
      ...all.slice(page * perPage, (page + 1) * perPage).map((each) => [each]),
      pagingButtons(page, (page + 1) * perPage < all.length, (label, to) =>
        sellingButton(label, { act: 'tiers', page: to }),
      ),
      [sellingButton(labels.back, { act: 'rule' })],
    ],
  }
}

/** The button that opens a tier. There is none for a network that is not in the API document (API §1). */
const tierButtons = (tier: PriceTier): Button[] => {
  const network = networks.find((name) => name === tier.network) ?? null
  if (network !== tier.network) return []
  return [sellingButton(words.tierLabel(tier), { act: 'tier', network, fromMegabytes: tier.fromMegabytes })]
}

const undoButton = ({ scope, before, after }: TierChange): Button =>
  sellingButton(sellingLabels.undo, { act: 'undo_tier', ...scope, before, after })

/** Shows one tier, and asks for its rule. */
const showTier = async (ctx: BotContext, { accountId }: Person, scope: WrittenScope): Promise<void> => {
  await askNext(ctx, { what: 'selling', ask: { about: 'tier', ...scope } })
  ctx.talk.aside(async () => {
    const bundles = await readableBundles(ctx.services, accountId)
    const shop = await ctx.services.store.shops.of(accountId)
    ctx.talk.show(tierScreen(shop, bundles ?? [], scope))
  })
}

const tierScreen = (shop: Shop, bundles: Bundle[], scope: WrittenScope): Screen => {
  const tier = tierOf(shop.tiers, scope)
  const rule = tier?.rule ?? null
  return {
    text: words.tierScreen(scope, rule, tier && exampleFor(shop, bundles, tier)),
    rows: [
      ...addRows(rule, (kind, value) => ({
        act: 'set_tier',
        ...scope,
        rule: ruleAdding(kind, value, rule ?? shop.rule),
      })),
      rule ? [sellingButton(words.tierLabels.remove, { act: 'set_tier', ...scope, rule: null })] : [],
      [sellingButton(labels.back, { act: 'tiers', page: 0 })],
    ],
  }
}

const changeTier = async (
  ctx: BotContext,
  person: Person,
  scope: WrittenScope,
  after: PriceRule | null,
): Promise<void> => {
  const change = await ctx.services.store.transaction(
    async (tx) => {
      const { tiers } = await tx.shops.of(person.accountId)
      const before = tierOf(tiers, scope)?.rule ?? null
      if (before === null && after !== null && tiers.length >= maxTiers) return null
      if (!isSameRule(before, after)) await tx.shops.tier(person.accountId, scope, after)
      return { scope, before, after }
    },
    { accounts: [person.accountId] },
  )
  if (change === null) return ctx.talk.say(words.tooManyTiers)
  const isChanged = !isSameRule(change.before, change.after)
  ctx.talk.toast(isChanged ? savedToast : sameAsBefore)
  await showTiers(ctx, person, isChanged ? change : null)
}

const undoTier = async (
  ctx: BotContext,
  person: Person,
  { scope, before, after }: TierChange,
): Promise<void> => {
  const isUndone = await ctx.services.store.transaction(
    async (tx) => {
      const { tiers } = await tx.shops.of(person.accountId)
      if (!isSameRule(tierOf(tiers, scope)?.rule ?? null, after)) return false
      await tx.shops.tier(person.accountId, scope, before)
      return true
    },
    { accounts: [person.accountId] },
  )
  ctx.talk.toast(isUndone ? undone : notUndone)
  await showTiers(ctx, person, null)
}

/** Takes a typed rule, which may name its network and size. @param asked the tier that the question was about. */
export const takeTier = async (
  ctx: BotContext,
  person: Person,
  asked: WrittenScope,
  text: string,
): Promise<void> => {
  const shop = await ctx.services.store.shops.of(person.accountId)
  const written = readTier(text, shop) ?? (isScoped(asked) ? readBare(text, scopeIn(asked), shop) : null)
  if (written?.kind === 'tier') return changeTier(ctx, person, written.scope, written.rule)
  const fault = written?.fault ?? 'scope'
  ctx.talk.say(
    isScoped(asked) && fault !== 'scope'
      ? askingFor(hints.rule, notARule(fault))
      : askingFor(hints.tier, words.notATier(fault)),
  )
}

const isScoped = ({ network, fromMegabytes }: WrittenScope): boolean =>
  network !== null || fromMegabytes !== null

/** Reads a rule that names no network or size, for the tier that the question was about. */
const readBare = (text: string, scope: WrittenScope, shop: Shop) => {
  const written = readRule(text, tierOf(shop.tiers, scope)?.rule ?? shop.rule)
  return written.kind === 'rule' ? ({ kind: 'tier', scope, rule: written.rule } as const) : written
}
