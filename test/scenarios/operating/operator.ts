import type { Message } from 'grammy/types'
import { chatOf, type TestChat } from '../../../src/sandbox/index.ts'
import type { World } from '../../support/world.ts'
import { inDatabase } from '../shop.ts'

/** What an operator does in the chat. */

export const operatorId = 700_000_001

export interface Operator {
  id: number
  chat: TestChat
  /** Sends `/admin`. @returns the answer. */
  open(): Promise<Message>
  /** Opens `/admin` and presses these buttons one after the other. @returns the message once it matches. */
  go(labels: readonly string[], awaited: string | RegExp): Promise<Message>
  /** Presses a button of the bot's newest message. @returns the newest message once it matches. */
  press(label: string, awaited: string | RegExp): Promise<Message>
  pause(): Promise<Message>
  resume(): Promise<Message>
}

export const operatorOf = (world: World, id = operatorId): Operator => {
  const chat = chatOf(world.telegram, id)

  const open = async () => {
    const { message_id: after } = chat.say('/admin')
    return chat.waitForText('Control room', { after })
  }

  const press = async (label: string, awaited: string | RegExp) => {
    const { message } = await world.telegram.waitFor(
      () => {
        const found = chat.button(label)
        return found && found.message.message_id === chat.last()?.message_id && found
      },
      { message: `Waiting for “${label}” on the newest message` },
    )
    chat.press(label)
    return chat.waitForText(awaited, { after: message.message_id - 1 })
  }

  const go = async (labels: readonly string[], awaited: string | RegExp) => {
    let message = await open()
    for (const [index, label] of labels.entries()) {
      message = await press(label, index === labels.length - 1 ? awaited : '')
    }
    return message
  }

  return {
    id,
    chat,
    open,
    press,
    go,
    pause: () =>
      go(['Maintenance', 'Pause orders', 'Confirm: pause orders'], /^Maintenance\n🛠 Orders paused since/),
    resume: () =>
      go(['Maintenance', 'Resume orders', 'Confirm: resume orders'], /^Maintenance\nOrders are open\./),
  }
}

/** The kinds of the stored security events, oldest first. */
export const eventsKept = (world: World): string[] =>
  inDatabase(world, (db) =>
    db
      .prepare('SELECT kind FROM SecurityEvent ORDER BY id')
      .all()
      .map(({ kind }) => String(kind)),
  )

/** Whether orders are paused, by the bot's database. */
export const isPaused = (world: World): boolean =>
  inDatabase(
    world,
    (db) => db.prepare("SELECT value FROM Fact WHERE name = 'maintenance'").get()?.value ?? '',
  ) !== ''
