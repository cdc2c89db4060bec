-- CreateTable
CREATE TABLE "Bot" (
    "id" BIGINT NOT NULL PRIMARY KEY,
    "username" TEXT NOT NULL,
    "sealedToken" TEXT NOT NULL,
    "ownerIds" TEXT NOT NULL,
    "addedAt" DATETIME NOT NULL,
    "startedAt" DATETIME,
    "stopped" TEXT
);
