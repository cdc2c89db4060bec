import {
  changePrefix,
  mapOf,
  mostChanges,
  prefixChanges,
  readPrefixLine,
  resetPrefixes,
} from '../../orders/network-prefixes.ts'
import { networksDown, switchNetwork } from '../../orders/network-switch.ts'
import { type Network, networks } from '../../provider/network.ts'
import type { NetworkAct } from '../buttons/operator.ts'
import { askNext, type BotContext, forgetQuestion } from '../context.ts'
import { operatorKey, overviewKey } from '../operator-keys.ts'
import type { Screen } from '../screen.ts'
import type { Services } from '../services.ts'
import { labels } from '../texts/labels.ts'
import * as words from '../texts/network.ts'

/** What operators settle of networks: which take no orders now, and which first digits hint at which. */

const { networkLabels } = words

export const press = async (ctx: BotContext, services: Services, act: NetworkAct): Promise<void> => {
  await forgetQuestion(ctx, services)
  switch (act.act) {
    case 'networks':
      ctx.talk.show(await networksScreen(services))
      return
    case 'network_down':
    case 'network_up':
      return turn(ctx, services, act.network, act.act === 'network_down')
    case 'prefixes':
      ctx.talk.show(await prefixesScreen(services))
      return
    case 'prefix_edit':
      await askNext(ctx, { what: 'operator', ask: { about: 'prefix' } })
      ctx.talk.show({ text: words.askPrefix, rows: [[operatorKey(labels.leave, { act: 'prefixes' })]] })
      return
    case 'prefix_back':
      return change(ctx, services, act.prefix, act.networks)
    case 'prefix_reset':
      return reset(ctx, services)
  }
}

/** A typed change of the map: `0256 MTN`. */
export const takePrefix = async (ctx: BotContext, services: Services, text: string): Promise<void> => {
  const read = readPrefixLine(text)
  if (read.kind === 'refused') {
    ctx.talk.say(words.notAPrefix(read.fault, read.written))
    return
  }
  await forgetQuestion(ctx, services)
  await change(ctx, services, read.prefix, read.networks)
}

const turn = async (
  ctx: BotContext,
  services: Services,
  network: Network,
  isDown: boolean,
): Promise<void> => {
  const { store, now, log, security } = services
  if (await store.transaction((tx) => switchNetwork(tx, network, isDown, now()))) {
    log.warn({ network }, isDown ? 'no orders are taken on a network' : 'orders are taken on a network again')
    const kind = isDown ? 'network_down' : 'network_up'
    await security.note({ kind, accountId: null, userId: ctx.from?.id ?? null, detail: network })
  }
  ctx.talk.toast(isDown ? words.isDownNow(network) : words.isUpNow(network))
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
          ? operatorKey(words.upLabel(network), { act: 'network_up', network })
          : operatorKey(words.downLabel(network), { act: 'network_down', network }),
      ]),
      [operatorKey(networkLabels.prefixes, { act: 'prefixes' })],
      [operatorKey(labels.refresh, { act: 'networks' }), overviewKey],
    ],
  }
}

const change = async (
  ctx: BotContext,
  services: Services,
  prefix: string,
  wanted: readonly Network[] | null,
): Promise<void> => {
  const { store, security } = services
  const before = await store.transaction(async (tx) => {
    const changes = await prefixChanges(tx)
    if (Object.keys(changes).length >= mostChanges && !Object.hasOwn(changes, prefix)) return 'full' as const
    return { networks: await changePrefix(tx, prefix, wanted) }
  })
  if (before === 'full') {
    ctx.talk.say(words.tooManyPrefixes)
    return
  }
  await security.note({
    kind: 'prefix_changed',
    accountId: null,
    userId: ctx.from?.id ?? null,
    detail: `${prefix} ${words.networkWords(wanted)}`,
  })
  const { text, rows = [] } = await prefixesScreen(services)
  const undo = operatorKey(networkLabels.undo, { act: 'prefix_back', prefix, networks: before.networks })
  ctx.talk.show({ text: `${words.prefixSet(prefix, wanted)}\n\n${text}`, rows: [[undo], ...rows] })
}

const reset = async (ctx: BotContext, services: Services): Promise<void> => {
  const { store, security } = services
  const isReset = await store.transaction(resetPrefixes)
  if (isReset)
    await security.note({
      kind: 'prefix_changed',
      accountId: null,
      userId: ctx.from?.id ?? null,
      detail: words.networkWords(null),
    })
  ctx.talk.toast(isReset ? words.prefixesReset : words.nothingToReset)
  ctx.talk.show(await prefixesScreen(services))
}

const prefixesScreen = async ({ store }: Services): Promise<Screen> => {
  const changes = await prefixChanges(store)
  const isChanged = Object.keys(changes).length > 0
  return {
    text: words.prefixes(mapOf(changes), new Set(Object.keys(changes))),
    rows: [
      [
        operatorKey(networkLabels.edit, { act: 'prefix_edit' }),
        ...(isChanged ? [operatorKey(networkLabels.reset, { act: 'prefix_reset' })] : []),
      ],
      [operatorKey(labels.back, { act: 'networks' }), overviewKey],
    ],
  }
}
