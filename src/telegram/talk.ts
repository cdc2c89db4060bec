import { type Api, GrammyError } from 'grammy'
import { render } from '../pictures/render.ts'
import { acting, type ChatAction } from './chat-action.ts'
import { escapeHtml, type Screen } from './screen.ts'
import { type FileToSend, persistently, type Sender } from './sender.ts'
import type { Tasks } from './tasks.ts'

/** What is said: as it is, or worded in its turn from what is true then; null says nothing after all. */
export type Words = Screen | string | (() => Promise<Screen | null>)

/** A picture by its source (SVG), with its caption as the text, which is sent alone where the picture cannot be. */
export interface Picture extends Screen {
  svg: string
}

/**
 * One update's side of the conversation. A handler only commits; what it says and does here begins when it has
 * returned, so that no chat waits for Telegram or the provider to answer another's, and nothing is said that was
 * not committed.
 */
export interface Talk {
  readonly chatId: number
  /** Sends a message after the earlier ones of the chat. */
  say(words: Words, onSent?: (messageId: number) => Promise<void>): void
  /** Changes the message whose button was pressed; without one, sends. */
  show(words: Words, onSent?: (messageId: number) => Promise<void>): void
  /** Changes an earlier message of ours. */
  edit(messageId: number, words: Words): void
  /** Sends a document, made in its turn. */
  sendFile(make: () => Promise<FileToSend>): void
  /** Sends a picture, made and drawn in its turn. */
  sendPhoto(make: () => Promise<Picture>): void
  /** Puts the picture into the message whose button was pressed, where that shows one; else sends it. */
  showPhoto(make: () => Promise<Picture>): void
  /** Answers the press with a short text on the screen. */
  toast(text: string, alert?: boolean): void
  /** Does what may take long, such as asking the provider, with a typing indicator. */
  aside(work: () => Promise<void>): void
  /** Begins with what was said so far: the handler has returned. */
  begin(): void
}

export const createTalk = (options: {
  api: Api
  sender: Sender
  tasks: Tasks
  chatId: number
  /** The message whose button was pressed. */
  pressed: { queryId: string; messageId: number | null; isPhoto: boolean } | null
  /** Told of what could not be made or done, before the log is. */
  onFault?: (error: unknown) => Promise<void>
}): Talk => {
  const { api, sender, tasks, chatId, pressed, onFault = async () => {} } = options
  let begun = false
  let answer: { text?: string; show_alert?: boolean } = {}
  const waiting: (() => void)[] = []

  const told = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      await onFault(error)
      throw error
    }
  }

  const run = (work: () => void) => {
    if (begun) work()
    else waiting.push(work)
  }

  /** An alert says why nothing came of a press: one that comes too late for a toast is a message, where nobody else reads it. */
  const answerPress = async (queryId: string): Promise<void> => {
    try {
      await api.answerCallbackQuery(queryId, answer)
    } catch (error) {
      const isLate = error instanceof GrammyError && /too old|query id/i.test(error.description)
      if (!isLate || !answer.show_alert || !answer.text || chatId < 0) return
      await sender.send(chatId, { text: escapeHtml(answer.text) })
    }
  }

  const put = (
    words: Words,
    messageId: number | null,
    onSent: (messageId: number) => Promise<void> = async () => {},
  ) => {
    run(() =>
      tasks.inOrder(chatId, async () => {
        const screen = await told(() => screenOf(words))
        if (!screen) return
        const sent = await persistently(() =>
          messageId === null ? sender.send(chatId, screen) : sender.edit(chatId, messageId, screen),
        )
        if (sent.kind === 'sent') await onSent(sent.messageId)
      }),
    )
  }

  const putPhoto = (make: () => Promise<Picture>, messageId: number | null) =>
    run(() =>
      tasks.inOrder(chatId, () =>
        busy('upload_photo', async () => {
          const { svg, ...screen } = await told(make)
          const png = await drawn(svg)
          const sent =
            png &&
            (await persistently(() =>
              messageId === null
                ? sender.sendPhoto(chatId, { ...screen, png })
                : sender.editPhoto(chatId, messageId, { ...screen, png }),
            ))
          const isRefused = sent?.kind === 'failed' && sent.refusal.kind === 'refused'
          if (!sent || isRefused) await persistently(() => sender.send(chatId, screen))
        }),
      ),
    )

  /** Null where it cannot be drawn, which the log tells. */
  const drawn = (svg: string): Promise<Uint8Array | null> =>
    render(svg).catch((error: unknown) => {
      tasks.aside(() => Promise.reject(error))
      return null
    })

  const busy = (action: ChatAction, work: () => Promise<void>): Promise<void> =>
    acting(api, chatId, action, work)

  return {
    chatId,
    say: (words, onSent) => put(words, null, onSent),
    // A picture stays where it is: Telegram makes no text of it.
    show: (words, onSent) => put(words, pressed && !pressed.isPhoto ? pressed.messageId : null, onSent),
    edit: (messageId, words) => put(words, messageId),
    sendFile: (make) =>
      run(() =>
        tasks.inOrder(chatId, async () => {
          const file = await told(make)
          await persistently(() => sender.sendFile(chatId, file)).finally(() => file.after?.())
        }),
      ),
    sendPhoto: (make) => putPhoto(make, null),
    showPhoto: (make) => putPhoto(make, pressed?.isPhoto ? pressed.messageId : null),
    toast: (text, alert = false) => {
      answer = { text, show_alert: alert }
    },
    aside: (work) => run(() => tasks.aside(() => told(() => busy('typing', work)), chatId)),
    begin: () => {
      begun = true
      if (pressed) {
        tasks.aside(() => answerPress(pressed.queryId))
      }
      for (const work of waiting.splice(0)) work()
    },
  }
}

const screenOf = async (words: Words): Promise<Screen | null> => {
  if (typeof words === 'function') return words()
  return typeof words === 'string' ? { text: words } : words
}
