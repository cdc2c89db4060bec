import { complaintRules } from '../../../domain/order/complaint.ts'
import { mapOf, readPrefixLine } from '../../../lists/meaning/prefix-line.ts'
import { changePrefix, prefixChanges, resetPrefixes } from '../../../orders/buying/likely-network.ts'
import { complaintRulesOf, setComplaintRule } from '../../../orders/following/complaint-rules.ts'
import { markNetwork, networksDown } from '../../../orders/permission/switches.ts'
import { noteReopened, redrawReopened } from '../../../orders/placing/reopening.ts'
import { type Network, networks } from '../../../provider/network.ts'
import { balanceCodes, readBalanceCode, setBalanceCode } from '../../../settings/balance-codes.ts'
import { askNext, type BotContext, forgetQuestion } from '../../chat/context.ts'
import type { ActHandlers } from '../../chat/handler.ts'
import type { Screen } from '../../chat/screen.ts'
import { askingFor } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'
import { hints } from '../../words/hints.ts'
import { labels } from '../../words/labels.ts'
import * as words from './network-words.ts'
import { noteAct } from './note-act.ts'
import { operatorButton, overviewButton } from './operator-buttons.ts'

/**
 * Operators' settings of networks: which networks are down, which networks a number prefix belongs to, and balance
 * codes.
 */

const { networkLabels } = words

/** What operators' buttons do about networks and prefixes. */
export const acts = {
  networks: async (ctx) => ctx.talk.show(await networksScreen(ctx.services)),
  network_down: (ctx, { network }) =>
    ctx.talk.show({
      text: words.askDown(network),
      rows: [
        [operatorButton(words.downSureLabel(network), { act: 'network_down_sure', network })],
        [operatorButton(labels.back, { act: 'networks' })],
      ],
    }),
  network_down_sure: (ctx, { network }) => mark(ctx, network, true),
  network_back: (ctx, { network }) => mark(ctx, network, false),
  codes: async (ctx) => {
    await askNext(ctx, { what: 'operator', ask: { about: 'balance_code' } })
    ctx.talk.show({
      text: words.askBalanceCode(await balanceCodes(ctx.services.store)),
      rows: [[operatorButton(labels.back, { act: 'networks' })]],
    })
  },
  complaints: async (ctx) => ctx.talk.show(await complaintsScreen(ctx.services)),
  complaint_rule: async (ctx, { network, rule }) => {
    await ctx.services.store.transaction((tx) => setComplaintRule(tx, network, rule))
    await noteAct(ctx, 'complaint_rule_changed', `${network} ${words.ruleWords(rule)}`)
    ctx.talk.show(await complaintsScreen(ctx.services))
  },
  prefixes: async (ctx) => ctx.talk.show(await prefixesScreen(ctx.services)),
  prefix_edit: async (ctx) => {
    await askNext(ctx, { what: 'operator', ask: { about: 'prefix' } })
    ctx.talk.show({ text: words.askPrefix, rows: [[operatorButton(labels.leave, { act: 'prefixes' })]] })
  },
  prefix_back: (ctx, { prefix, networks }) => change(ctx, prefix, networks),
  prefix_reset: (ctx) => reset(ctx),
} satisfies Partial<ActHandlers<'operator'>>

/** Takes a typed change of a prefix: `0256 MTN`. */
export const takePrefix = async (ctx: BotContext, text: string): Promise<void> => {
  const read = readPrefixLine(text)
  if (read.kind === 'refused')
    return ctx.talk.say(askingFor(hints.prefix, words.notAPrefix(read.fault, read.written)))
  await forgetQuestion(ctx)
  await change(ctx, read.prefix, read.networks)
}

/** Takes a typed balance code: `MTN *124#`. */
export const takeBalanceCode = async (ctx: BotContext, text: string): Promise<void> => {
  const read = readBalanceCode(text)
  if (!read) return ctx.talk.say(askingFor(hints.balanceCode, words.notABalanceCode))
  await forgetQuestion(ctx)
  await ctx.services.store.transaction((tx) => setBalanceCode(tx, read.network, read.code))
  await noteAct(ctx, 'balance_code_changed', `${read.network} ${read.code ?? 'none'}`)
  const { text: shown, rows } = await networksScreen(ctx.services)
  ctx.talk.say({
    text: `${words.balanceCodeSet(read.network, read.code)}\n\n${shown}`,
    ...(rows && { rows }),
  })
}

const mark = async (ctx: BotContext, network: Network, isDown: boolean): Promise<void> => {
  const { services } = ctx
  const { store, now, log } = services
  const isChanged = await store.transaction(async (tx) => {
    const changes = await markNetwork(tx, network, isDown, now())
    if (changes && !isDown) await noteReopened(tx, now(), network)
    return changes
  })
  if (isChanged && !isDown) services.onQueued()
  if (isChanged) {
    log.warn({ network }, isDown ? 'a network was marked as down' : 'a network was marked as back')
    await noteAct(ctx, isDown ? 'network_down' : 'network_back', network)
  }
  ctx.talk.toast(isDown ? words.networkMarkedDown(network) : words.networkMarkedBack(network))
  ctx.talk.aside(async () => {
    await redrawReopened(services)
    services.onNotice()
  })
  ctx.talk.show(await networksScreen(services))
}

const networksScreen = async ({ store, now }: Services): Promise<Screen> => {
  const down = await networksDown(store)
  return {
    text: words.networks(
      networks.map((network) => ({ network, since: down.get(network) ?? null })),
      now(),
    ),
    rows: [
      ...networks.map((network) => [
        down.has(network)
          ? operatorButton(words.backLabel(network), { act: 'network_back', network })
          : operatorButton(words.downLabel(network), { act: 'network_down', network }),
      ]),
      [
        operatorButton(networkLabels.prefixes, { act: 'prefixes' }),
        operatorButton(networkLabels.codes, { act: 'codes' }),
      ],
      [operatorButton(networkLabels.complaints, { act: 'complaints' }), overviewButton],
    ],
  }
}

/** Shows how long complaints are taken. A network's button sets the next of the rules. */
const complaintsScreen = async ({ store }: Services): Promise<Screen> => {
  const rules = await complaintRulesOf(store)
  const cycle = [null, ...complaintRules]
  return {
    text: words.complaintsUntil,
    rows: [
      ...networks.map((network) => {
        const rule = rules[network] ?? null
        const next = cycle[(cycle.indexOf(rule) + 1) % cycle.length] ?? null
        return [
          operatorButton(words.ruleLabel(network, rule), { act: 'complaint_rule', network, rule: next }),
        ]
      }),
      [operatorButton(labels.back, { act: 'networks' })],
    ],
  }
}

const change = async (ctx: BotContext, prefix: string, wanted: readonly Network[] | null): Promise<void> => {
  const before = await ctx.services.store.transaction((tx) => changePrefix(tx, prefix, wanted))
  if (before === 'full') return ctx.talk.say(words.tooManyPrefixes)
  await noteAct(ctx, 'prefix_changed', `${prefix} ${words.networkWords(wanted)}`)
  const { text, rows = [] } = await prefixesScreen(ctx.services)
  const undo = operatorButton(networkLabels.undo, { act: 'prefix_back', prefix, networks: before })
  ctx.talk.show({ text: `${words.prefixSet(prefix, wanted)}\n\n${text}`, rows: [[undo], ...rows] })
}

const reset = async (ctx: BotContext): Promise<void> => {
  const isReset = await ctx.services.store.transaction(resetPrefixes)
  if (isReset) await noteAct(ctx, 'prefix_changed', words.networkWords(null))
  ctx.talk.toast(isReset ? words.prefixesReset : words.nothingToReset)
  ctx.talk.show(await prefixesScreen(ctx.services))
}

const prefixesScreen = async ({ store }: Services): Promise<Screen> => {
  const changes = await prefixChanges(store)
  const isChanged = Object.keys(changes).length > 0
  return {
    text: words.prefixes(mapOf(changes), new Set(Object.keys(changes))),
    rows: [
      [
        operatorButton(networkLabels.edit, { act: 'prefix_edit' }),
        ...(isChanged ? [operatorButton(networkLabels.reset, { act: 'prefix_reset' })] : []),
      ],
      [operatorButton(labels.back, { act: 'networks' }), overviewButton],
    ],
  }
}
