import { expect, test } from 'vitest'
import { createTasks } from '../../../src/telegram/chat/tasks.ts'

const turn = () => new Promise(setImmediate)
const ages = 60_000

test('tasks of one chat run one after another', async () => {
  const tasks = createTasks(() => {})
  const gate = Promise.withResolvers<void>()
  const done: string[] = []
  tasks.inOrder(1, async () => {
    await gate.promise
    done.push('first')
  })
  tasks.inOrder(1, async () => void done.push('second'))
  tasks.inOrder(1, async () => void done.push('third'))
  await turn()
  expect(done).toEqual([])
  gate.resolve()
  await tasks.settled(ages)
  expect(done).toEqual(['first', 'second', 'third'])
})

test('a task of a chat that hangs delays neither other chats nor tasks that run beside it', async () => {
  const tasks = createTasks(() => {})
  const hang = Promise.withResolvers<void>()
  const done: string[] = []
  tasks.inOrder(1, () => hang.promise)
  tasks.inOrder(2, async () => void done.push('other chat'))
  tasks.aside(async () => void done.push('aside'))
  await turn()
  expect(done.sort()).toEqual(['aside', 'other chat'])
  hang.resolve()
})

test('a failed task of a chat is reported once, and the next tasks run', async () => {
  const errors: unknown[] = []
  const tasks = createTasks((error) => errors.push(error))
  const [first, second] = [new Error('first'), new Error('second')]
  let after = false
  tasks.inOrder(1, () => Promise.reject(first))
  tasks.aside(() => Promise.reject(second))
  tasks.inOrder(1, async () => {
    after = true
  })
  await tasks.settled(ages)
  expect(errors).toHaveLength(2)
  expect(errors).toEqual(expect.arrayContaining([first, second]))
  expect(after).toBe(true)
})

test('waiting for all chats’ tasks includes tasks that begin meanwhile', async () => {
  const tasks = createTasks(() => {})
  let done = false
  tasks.aside(async () => {
    await turn()
    tasks.inOrder(1, async () => {
      await turn()
      done = true
    })
  })
  await tasks.settled(ages)
  expect(done).toBe(true)
})

test('waiting for all chats’ tasks gives up on a task that never ends', async () => {
  const tasks = createTasks(() => {})
  tasks.aside(() => new Promise(() => {}))
  await tasks.settled(1)
})

test('waiting for all chats’ tasks ends immediately if there are none', async () => {
  await createTasks(() => {}).settled(ages)
})

test('the number of a chat’s waiting tasks includes those in sequence and those beside it, and is 0 when all have ended', async () => {
  const tasks = createTasks(() => {})
  const gate = Promise.withResolvers<void>()
  for (let work = 0; work < 3; work += 1) tasks.inOrder(1, () => gate.promise)
  tasks.aside(() => gate.promise, 1)
  tasks.inOrder(2, () => Promise.reject(new Error('failed')))
  expect([tasks.waitingFor(1), tasks.waitingFor(2), tasks.waitingFor(3)]).toEqual([4, 1, 0])
  gate.resolve()
  await tasks.settled(ages)
  expect([tasks.waitingFor(1), tasks.waitingFor(2)]).toEqual([0, 0])
})
