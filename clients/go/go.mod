module github.com/hashrange/hashrange/clients/go

go 1.19
