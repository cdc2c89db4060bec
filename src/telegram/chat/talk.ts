import { type Api, GrammyError } from 'grammy'
import { render } from '../../pictures/render.ts'
import { acting, type ChatAction } from './chat-action.ts'
import { isPrompt, noPrompts, type Prompts } from './prompts.ts'
import { type Button, escapeHtml, type Screen, withoutTimes } from './screen.ts'
import { type FileToSend, type Sender, type Sent, sendWithRetries } from './sender.ts'
import type { Tasks } from './tasks.ts'

/** A message: ready-made, or a function that words it just before it is sent. Null sends nothing. */
export type Words = Screen | string | (() => Promise<Screen | null>)

/** A picture as SVG, with its caption as the text. If the picture cannot be sent, the text is sent instead. */
export interface Picture extends Screen {
  svg: string
}

/**
 * Pictures (SVG) that belong together, and a message after them. An album has one caption and no buttons. If no picture
 * can be sent, the caption is sent instead.
 */
export interface Album {
  /** If one picture cannot be drawn, none is sent, because the others would mislead. */
  pictures: readonly string[]
  /** In Telegram's HTML. */
  caption: string
  /** Sent after the pictures if some of them are missing. */
  partly?: string
  next?: Screen
}

/**
 * The bot's answers to one update. A handler only commits. The messages and work that it asks for here begin after it
 * has returned, so that no chat waits for another chat's calls to Telegram or the provider, and nothing is said that
 * was not committed.
 */
export interface Talk {
  readonly chatId: number
  /** Sends a message after the chat's earlier ones. */
  say(words: Words, onSent?: (messageId: number) => Promise<void>): void
  /** Changes the message whose button was pressed. Without a press, or below a picture, sends a new one. */
  show(words: Words, onSent?: (messageId: number) => Promise<void>): void
  /** Changes an earlier message of the bot. */
  edit(messageId: number, words: Words): void
  /** Changes only the buttons of the message whose button was pressed. */
  showButtons(make: () => Promise<Button[][]>): void
  /** Sends a document, which is made when its turn comes. */
  sendFile(make: () => Promise<FileToSend>): void
  /** Sends a picture, which is made and drawn when its turn comes. */
  sendPhoto(make: () => Promise<Picture>): void
  /** Replaces the picture of the message whose button was pressed. If that message has none, sends a new one. */
  showPhoto(make: () => Promise<Picture>): void
  /**
   * Sends pictures as an album, made and drawn when its turn comes. A single picture is sent alone, more than ten as
   * several albums.
   */
  sendAlbum(make: () => Promise<Album>): void
  /** Answers the press with a short text. @param alert as a pop-up that the person has to close. */
  toast(text: string, alert?: boolean): void
  /** Does work that may take long, such as a call to the provider, while the chat shows “typing”. */
  aside(work: () => Promise<void>): void
  /**
   * Makes the next screen that has a button to leave or skip it the chat's prompt, which the chat's next message
   * answers.
   */
  asks(): void
  /** Removes the buttons of the chat's prompt, because it was answered or left. */
  answered(): void
  /** Begins all messages and work that the handler asked for. Called when it has returned. */
  begin(): void
}

/** Creates the talk of one update. `tasks` sends its screens after the update was handled. */
export const createTalk = (options: {
  api: Api
  sender: Sender
  tasks: Tasks
  chatId: number
  /** The forum topic in which the update came. */
  threadId?: number | undefined
  /**
   * The message whose button was pressed. `queryId` is null if no button was pressed but `show` must still change this
   * message.
   */
  pressed: { queryId: string | null; messageId: number | null; isPhoto: boolean } | null
  /** Called with the error of failed work, before it is logged. */
  onFault?: (error: unknown) => Promise<void>
  /**
   * Called when every try to answer a message has failed. A person who pressed a button notices and can press again.
   */
  onLost?: () => Promise<void>
  prompts?: Prompts
}): Talk => {
  const {
    api,
    sender,
    tasks,
    chatId,
    threadId,
    pressed,
    onFault = async () => {},
    onLost = async () => {},
    prompts = noPrompts,
  } = options
  const prompting = createPrompting({ sender, prompts, chatId })

  const answering = async (send: () => Promise<Sent>): Promise<Sent> => {
    const sent = await sendWithRetries(send)
    if (isLost(sent) && pressed === null) await onLost()
    return sent
  }

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

  /**
   * Answers the press. An alert says why the press did nothing, so if it is too late for a pop-up, it is sent as a
   * message, except in a group.
   */
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
    prompting.changes(messageId)
    run(() =>
      tasks.inOrder(chatId, async () => {
        const worded = await told(() => screenOf(words))
        if (!worded) return
        const screen = threadId === undefined ? worded : { ...worded, threadId }
        const sent = await answering(() =>
          messageId === null ? sender.send(chatId, screen) : sender.edit(chatId, messageId, screen),
        )
        if (sent.kind !== 'sent') return
        await onSent(sent.messageId)
        await prompting.shown(screen, sent.messageId)
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
            (await answering(() =>
              messageId === null
                ? sender.sendPhoto(chatId, { ...screen, png })
                : sender.editPhoto(chatId, messageId, { ...screen, png }),
            ))
          if (!sent || isRefused(sent)) await answering(() => sender.send(chatId, screen))
        }),
      ),
    )

  const putAlbum = (make: () => Promise<Album>) =>
    run(() =>
      tasks.inOrder(chatId, () =>
        busy('upload_photo', async () => {
          const { pictures, caption, partly, next } = await told(make)
          const pngs = (await Promise.all(pictures.map(drawn))).filter((png) => png !== null)
          const isWhole = pngs.length === pictures.length
          const missing = pictures.length - (isWhole ? await sendPictures(pngs, caption) : 0)
          const isNone = missing === pictures.length
          if (isNone) await answering(() => sender.send(chatId, { text: caption }))
          else if (missing > 0 && partly) await answering(() => sender.send(chatId, { text: partly }))
          if (next) await answering(() => sender.send(chatId, next))
        }),
      ),
    )

  /** Sends albums. If Telegram refuses one, its pictures are sent one by one. @returns how many were sent. */
  const sendPictures = async (pngs: readonly Uint8Array[], caption: string): Promise<number> => {
    let came = 0
    const text = () => (came === 0 ? caption : '')
    for (const album of inAlbums(pngs)) {
      const whole = album.length > 1 ? await answering(() => sender.sendAlbum(chatId, album, text())) : null
      if (whole && !isRefused(whole)) {
        came += album.length
        continue
      }
      for (const png of album) {
        const sent = await answering(() => sender.sendPhoto(chatId, { png, text: text() }))
        if (!isRefused(sent)) came += 1
      }
    }
    return came
  }

  /** Draws the picture. Null if that fails; the log says why. */
  const drawn = (svg: string): Promise<Uint8Array | null> =>
    render(svg).catch((error: unknown) => {
      tasks.aside(() => Promise.reject(error))
      return null
    })

  const busy = (action: ChatAction, work: () => Promise<void>): Promise<void> =>
    acting(() => sender.act(chatId, action), work)

  return {
    chatId,
    say: (words, onSent) => put(words, null, onSent),
    // Below a picture, a new message is sent: Telegram cannot turn a picture into a text.
    show: (words, onSent) => put(words, pressed && !pressed.isPhoto ? pressed.messageId : null, onSent),
    edit: (messageId, words) => put(words, messageId),
    showButtons: (make) => {
      const messageId = pressed?.messageId ?? null
      if (messageId === null) return
      prompting.changes(messageId)
      run(() =>
        tasks.inOrder(chatId, async () => {
          const rows = await told(make)
          await answering(() => sender.putButtons(chatId, messageId, rows))
        }),
      )
    },
    sendFile: (make) =>
      run(() =>
        tasks.inOrder(chatId, async () => {
          const file = await told(make)
          await answering(() => sender.sendFile(chatId, file)).finally(() => file.after?.())
        }),
      ),
    sendPhoto: (make) => putPhoto(make, null),
    showPhoto: (make) => putPhoto(make, pressed?.isPhoto ? pressed.messageId : null),
    sendAlbum: putAlbum,
    toast: (text, alert = false) => {
      answer = { text: withoutTimes(text), show_alert: alert }
    },
    aside: (work) => {
      // The work will change the pressed message later.
      prompting.changes(pressed?.messageId ?? null)
      run(() => tasks.aside(() => told(() => busy('typing', work)), chatId))
    },
    asks: prompting.asks,
    answered: prompting.answered,
    begin: () => {
      begun = true
      if (prompting.isUsed()) tasks.inOrder(chatId, prompting.begin)
      const queryId = pressed?.queryId
      if (queryId) tasks.aside(() => answerPress(queryId))
      for (const work of waiting.splice(0)) work()
      if (prompting.isUsed()) tasks.inOrder(chatId, prompting.end)
    },
  }
}

/** Tracks how one update changes the chat's prompt, the message with its open question. */
const createPrompting = (options: { sender: Sender; prompts: Prompts; chatId: number }) => {
  const { sender, prompts, chatId } = options
  let isAsking = false
  let isAnswered = false
  /** The prompt from before this update. */
  let before: number | null = null
  /** Messages that this update changes. Their buttons changed with the text, so they need not be removed. */
  const changed = new Set<number>()

  const close = async (): Promise<void> => {
    const messageId = before
    before = null
    if (messageId !== null && !changed.has(messageId)) await sender.putButtons(chatId, messageId, [])
  }

  return {
    changes: (messageId: number | null) => {
      if (messageId !== null) changed.add(messageId)
    },
    asks: () => {
      isAsking = true
    },
    answered: () => {
      isAnswered = true
    },
    isUsed: () => isAsking || isAnswered,
    begin: async () => {
      before = await prompts.of(chatId)
    },
    shown: async (screen: Screen, messageId: number): Promise<void> => {
      changed.add(messageId)
      if (!isAsking || !isPrompt(screen)) return
      await prompts.set(chatId, messageId)
      await close()
    },
    end: async () => {
      // The old prompt keeps its buttons unless this update answered it.
      if (!isAnswered || before === null) return
      await prompts.forget(chatId)
      await close()
    },
  }
}

const screenOf = async (words: Words): Promise<Screen | null> => {
  if (typeof words === 'function') return words()
  return typeof words === 'string' ? { text: words } : words
}

/** Whether Telegram answered none of the tries. */
const isLost = (sent: Sent): boolean => sent.kind === 'failed' && sent.refusal.kind === 'unknown'

const isRefused = (sent: Sent): boolean => sent.kind === 'failed' && sent.refusal.kind === 'refused'

/** How many pictures Telegram allows in one album. */
const maxInAlbum = 10

const inAlbums = <T>(all: readonly T[]): T[][] =>
  all.flatMap((_, index) => (index % maxInAlbum === 0 ? [all.slice(index, index + maxInAlbum)] : []))
