import type { Message } from 'grammy/types'

interface Waiting {
  timeoutMs: number
  message: string
  /** Describes the state. If a wait fails, the error shows it. */
  describe: () => string
}

/** Conditions that callers wait for. They are checked again after each event. */
export class Conditions {
  #checks = new Set<() => void>()

  recheck(): void {
    for (const check of [...this.#checks]) check()
  }

  async until<T>(what: () => T | undefined | null | false, waiting: Waiting): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const check = () => {
      try {
        const value = what()
        if (value !== undefined && value !== null && value !== false) resolve(value)
      } catch (error) {
        reject(error)
      }
    }
    const { timeoutMs, message, describe } = waiting
    const timer = setTimeout(() => {
      reject(new Error(`${message}: gave up after ${timeoutMs} ms.\n${describe()}`))
    }, timeoutMs)
    this.#checks.add(check)
    check()
    return promise.finally(() => {
      clearTimeout(timer)
      this.#checks.delete(check)
    })
  }
}

/** A message in one line, with its buttons in brackets. */
export function summaryOf(message: Message): string {
  const buttons = message.reply_markup?.inline_keyboard.flat().map(({ text }) => `[${text}]`) ?? []
  const file = message.document ? `<${message.document.file_name}>` : message.photo ? '<photo>' : undefined
  const parts = [file, message.text ?? message.caption, ...buttons].filter((part) => part !== undefined)
  return `#${message.message_id} ${message.from?.first_name}: ${parts.join(' ')}`
}
