import { type ButtonPress, decodePress, encodePress } from '../../src/telegram/buttons/table.ts'
import { cannotHandle } from '../../src/telegram/words/unusable.ts'
import { of } from '../lists/rendering.ts'
import { everyButton, idsOfNothing } from '../scenarios/accounts/every-button.ts'
import { openStockedShop, type StockedShop } from '../scenarios/selling/stocked-shop.ts'
import { changeDatabase } from '../scenarios/shop.ts'
import { createWorld, type World } from '../support/world.ts'
import type { Attack } from './attack.ts'
import { damaged, type Pick, pickerOf } from './mutation.ts'

/** Parts of real button data, and some that never occur in it. */
const pieces = [
  ...':;,.-_ 0123456789azAZ',
  '-1',
  '999999999999999999',
  '1e9',
  '0x1',
  'NaN',
  'null',
  'true',
  'undefined',
  '__proto__',
  'constructor',
  'confirm',
  'list',
  'look',
  'open',
  'again',
  'settings',
  'agents',
  'MTN',
  'all',
  '\u202e',
  '\0',
  '😀',
  "' OR 1=1",
]

/** What a bundle costs the shop, and its selling price, which the shop's agents see. */
const [cost, selling] = ['17.37', '19.37']

interface Presser {
  id: number
  what: string
  isOfShop: boolean
}

interface Pressed extends Presser {
  data: string
  queryId: string
}

const wordsOf = ({ data, what }: Pressed, fault: string): string =>
  `${JSON.stringify(data)} pressed by ${what}: ${fault}`

/** Presses buttons that name things of a shop and of others, as new people and as people of the shop. */
export const openButtons = async (): Promise<Attack> => {
  const world = await createWorld({
    process: true,
    settings: { limits: { perMinute: 5_000, perHour: 5_000, perDay: 5_000 }, deliverAfterMs: null },
  })
  const shop = await openStockedShop(world)
  const known = [shop.ids, shop.removed.ids, idsOfNothing()].flatMap(everyButton).map(encodePress)
  const secretsOfShop = [...shop.secrets, cost, selling]
  const posted = () => world.provider.requests().filter(({ method }) => method === 'POST').length
  const before = posted()
  let earlier: Pressed[] = []
  let presses: Pressed[] = []

  const attempt = async (seed: number): Promise<string[]> => {
    const pick = pickerOf(seed)
    const data = dataOf(known, pick)
    const presser = await presserOf(world, shop, pick)
    if (data === '' || (presser.isOfShop && mayOrderOrEnd(data))) return []
    const { id } = world.telegram.press({
      from: presser.id,
      chat: presser.id,
      messageId: 900_000,
      data,
      stale: true,
    })
    const pressed: Pressed = { ...presser, data, queryId: id }
    const faults: string[] = []
    try {
      await world.telegram.waitFor(() => world.telegram.answers(pressed.queryId), { timeoutMs: 60_000 })
    } catch {
      faults.push('it is not answered')
    }
    presses.push(pressed)
    return faults.map((fault) => wordsOf(pressed, fault))
  }

  /** What is wrong with everything that the presser got after the press. */
  const faultsOf = (pressed: Pressed): string[] => {
    const said = saidTo(world, pressed)
    const secrets = pressed.isOfShop ? (pressed.id === shop.ids.agentId ? [cost] : []) : secretsOfShop
    const told = secrets.filter((secret) => said.includes(secret))
    return [
      ...(said.includes(cannotHandle) ? ['it cannot be handled'] : []),
      ...told.map((secret) => `it tells ${secret}`),
    ].map((fault) => wordsOf(pressed, fault))
  }

  /** Also checks the presses of the previous batch again, because a file or a picture may have arrived late. */
  const look = async (): Promise<string[]> => {
    const faults = [...earlier, ...presses].flatMap(faultsOf)
    earlier = presses
    presses = []
    if (posted() !== before) faults.push(`${posted() - before} orders were sent to the provider`)
    return faults
  }

  const { apiKey, apiSecret } = shop.owner.account
  return { world, together: 40, attempt, look, secrets: [apiKey, apiSecret, world.telegram.token] }
}

/** Known data: unchanged, changed in a few places, or combined from several; never longer than Telegram allows. */
const dataOf = (known: readonly string[], pick: Pick): string => {
  const whole = of(known, pick)
  if (pick(5) < 2) return whole
  const parts = whole.split(':')
  for (let count = 1 + pick(2); count > 0; count -= 1) {
    const others = of(known, pick).split(':')
    parts[pick(parts.length)] = of(others, pick)
  }
  if (pick(6) === 0) parts.splice(pick(parts.length + 1), pick(2), of(parts, pick))
  const data = pick(2) === 0 ? parts.join(':') : damaged(parts.join(':'), pieces, pick)
  return Buffer.from(data)
    .subarray(0, 64)
    .toString()
    .replace(/\ufffd$/, '')
}

const presserOf = async (world: World, shop: StockedShop, pick: Pick): Promise<Presser> => {
  switch (pick(8)) {
    case 0:
      return { id: shop.owner.id, what: 'the owner', isOfShop: true }
    case 1:
      return { id: shop.ids.agentId, what: 'an agent', isOfShop: true }
    case 2:
    case 3:
    case 4:
      return { ...(await newcomer(world, shop.otherId)), what: 'the owner of another shop', isOfShop: false }
    default:
      return { ...(await newcomer(world, null)), what: 'a stranger', isOfShop: false }
  }
}

/** A new person for each press, because Telegram allows only one message a second in a chat. */
const newcomer = async (world: World, ownerOf: string | null): Promise<{ id: number }> => {
  const { id } = world.telegram.addPerson({ first_name: 'Visitor' })
  if (ownerOf !== null)
    await changeDatabase(world, (db) =>
      db
        .prepare(
          `INSERT INTO Member (userId, accountId, chatId, role, createdAt, name, notifyLevel)
           SELECT ?, accountId, ?, 'owner', createdAt, 'Visitor', 'problems' FROM Member WHERE accountId = ? LIMIT 1`,
        )
        .run(id, id, ownerOf),
    )
  return { id }
}

/** Buttons that may order or end something, so people of the shop do not press them. */
const mayOrderOrEnd = (data: string): boolean => {
  const button = decodePress(data)
  return button !== null && ordersOrEnds(button)
}

const ordersOrEnds = (button: ButtonPress): boolean => {
  switch (button.do) {
    case 'confirm':
    case 'send_anyway':
    case 'disconnect':
    case 'switch':
      return true
    case 'list':
      return ['confirm', 'go_on', 'retry', 'retry_one', 'again', 'repeat'].includes(button.act.act)
    case 'settings':
      return (
        button.act.act === 'forget_sure' ||
        (button.act.act === 'set' && button.act.setting.topic === 'repeat')
      )
    // Agents may see what the owner allows.
    case 'agents':
      return button.act.act === 'remove_sure' || button.act.act === 'set_prices'
    default:
      return false
  }
}

/** Everything that the chat got, including files, and what the pressed message shows. */
const saidTo = (world: World, { id, queryId }: Pressed): string =>
  JSON.stringify(
    [
      world.telegram.answers(queryId),
      world.telegram.calls().filter(({ payload }) => Number(payload.chat_id) === id),
    ],
    (_, value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value),
  )
