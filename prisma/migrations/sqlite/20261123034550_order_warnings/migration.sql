-- CreateTable
CREATE TABLE "Warning" (
    "chatId" BIGINT NOT NULL,
    "messageId" INTEGER NOT NULL,
    "purchaseId" TEXT NOT NULL,
    "orderId" TEXT NOT NULL,
    "mistaken" TEXT,
    "says" TEXT NOT NULL,
    "isOwed" BOOLEAN NOT NULL DEFAULT false,

    PRIMARY KEY ("chatId", "messageId")
);

-- CreateIndex
CREATE INDEX "Warning_purchaseId_idx" ON "Warning"("purchaseId");
