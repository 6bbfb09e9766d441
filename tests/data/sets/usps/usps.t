2 16:0.125
# only a remark
3 17:-0.75 # and one
