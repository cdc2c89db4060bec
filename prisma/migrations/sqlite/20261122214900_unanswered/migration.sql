-- CreateTable
CREATE TABLE "Unanswered" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "cause" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "userId" BIGINT NOT NULL,
    "chatId" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "ask" TEXT NOT NULL,
    "messageId" INTEGER,
    "createdAt" DATETIME NOT NULL,
    "tryAt" DATETIME NOT NULL,
    "until" DATETIME NOT NULL
);

-- CreateIndex
CREATE UNIQUE INDEX "Unanswered_cause_key" ON "Unanswered"("cause");

-- CreateIndex
CREATE INDEX "Unanswered_tryAt_idx" ON "Unanswered"("tryAt");

-- CreateIndex
CREATE INDEX "Unanswered_chatId_kind_idx" ON "Unanswered"("chatId", "kind");
