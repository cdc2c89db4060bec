-- CreateTable
CREATE TABLE "Gate" (
    "name" TEXT NOT NULL PRIMARY KEY
);
